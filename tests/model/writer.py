"""The program of a writer: each function is one request, and returns what may follow from it."""

from collections.abc import Callable

import building
from documents import ROBOTS, Robots, roots
from ledger import committed, files_of, receiving
from requests import NO_NAMES, acknowledge, delete, fail, head, may_write, put, replace_manifest, seen_again
from state import EXPIRED, NOBODY, VALID, Manifest, Scenario, Shared, Step, Write, Writer
from waves import writes


def read(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Read the manifest, and decide what is to be done."""
    view = shared.manifest
    writer = writer._replace(view=view, fresh=True, unsure=writer.unsure and view.last != writer.owner)
    label = f"{writer.owner} reads the manifest"
    return [Step(label, shared, writer._replace(at=_next(scenario, shared, writer, view)))]


def _next(scenario: Scenario, shared: Shared, writer: Writer, view: Manifest) -> str:
    if view.publisher == writer.owner and (view.config != writer.config or view.is_building):
        return "release"
    if view.config != writer.config:
        if writer.wrote and not view.is_building:
            return "put_back"
        return building.next_with_other_settings(scenario, shared, writer, view)
    if view.is_building:
        return building.next_during_build(shared, writer, view)
    if writer.kind == "robots":
        return "robots"
    return "look"


def look(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Look at the objects, or at the output, of the message."""
    message = scenario.messages[writer.message]
    pages: tuple[int, ...] = ()
    if writer.kind == "pages":
        pages = message.pages
    if writer.kind == "daily":
        pages = tuple(range(len(shared.site)))
    names = NO_NAMES
    if writer.kind == "output" and writer.view:
        wanted = files_of(scenario, writer.view).get(message.name)
        if wanted and head(shared, message.name) != wanted:
            names = frozenset({message.name})
    seen = tuple((page, shared.site[page]) for page in pages)
    return [Step(f"{writer.owner} looks", shared, writer._replace(at="commit", seen=seen, names=names))]


def robots(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Compare the rules of robots.txt with the manifest's, and the sitemaps that it names."""
    view, present = writer.view, head(shared, ROBOTS)
    assert view
    rules = present.rules if isinstance(present, Robots) else 0
    label = f"{writer.owner} reads robots.txt"
    if rules != view.rules:
        if view.builder and shared.builder_lease != EXPIRED and view.builder != writer.owner:
            return fail(shared, writer)
        return [Step(label, shared, writer._replace(at="begin", rules=rules))]
    if view.is_building:
        if scenario.keeps("robots.txt waits for the build"):
            return fail(shared, writer)
        return [Step(label, shared, writer._replace(at="acknowledge", view=None))]
    named = present.roots if isinstance(present, Robots) else ()
    files = files_of(scenario, view)
    names = frozenset({ROBOTS}) if files and named != roots(files) else NO_NAMES
    return [Step(label, shared, writer._replace(at="commit", names=names))]


def _merged(view: Manifest, seen: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    found = dict(seen)
    return tuple(found.get(page, version) for page, version in enumerate(view.pages))


def due(scenario: Scenario, shared: Shared, view: Manifest) -> tuple[tuple[str, int], ...]:
    """The files that may be deleted: not named for at least a day."""
    wait = 1 if scenario.keeps("a day") else 0
    named = files_of(scenario, view)
    return tuple(each for each in view.unreferenced if each[1] + wait <= shared.day and named and each[0] not in named)


def commit(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Replace the manifest if anything changed, or if the role is to be taken."""
    view = writer.view
    assert view
    if view.is_building:
        return building.commit_during_build(shared, writer, view)
    holds = view.publisher == writer.owner
    again = writer.names | (NO_NAMES if holds or not scenario.keeps("put back") else writer.wrote)
    pages = _merged(view, writer.seen)
    after, added = committed(scenario, view, pages, shared.day, again)
    is_free = view.publisher == NOBODY or shared.lease == EXPIRED or holds
    wants = bool(after.pending) or holds or (writer.kind == "daily" and bool(due(scenario, shared, after)))
    takes = is_free and wants
    unsure = writer.unsure and scenario.keeps("replace when unsure")
    then = writer._replace(at="recheck", names=added or after.pending_names, unsure=False)
    if not scenario.keeps("others' names"):
        then = then._replace(names=added)
    confirms = writer.kind == "rebuild" and scenario.keeps("rebuild confirms settings")
    if after == view and not added and not unsure and not confirms and not (takes and not (holds and shared.lease == VALID)):
        return [Step(f"{writer.owner} finds nothing changed", shared, then._replace(countable=after.pending_names))]
    known = tuple((name, files_of(scenario, view).get(name)) for name in sorted(added - view.pending_names - again - {ROBOTS}))
    if scenario.keeps("union") and receiving(scenario, view, after):
        known = ()
    then = then._replace(
        known=known if takes else (),
        countable=after.pending_names if takes else NO_NAMES,
        finished=NO_NAMES,
        wrote=writer.wrote if holds else NO_NAMES,
    )
    unanswered = _again(writer)._replace(unsure=True)
    return replace_manifest(shared, writer, after, added, f"{writer.owner} commits", then, unanswered,
                            takes=takes, confirms_settings=confirms)


def _again(writer: Writer) -> Writer:
    """The writer at its beginning, with what it must not forget."""
    return writer._replace(
        at="read", view=None, fresh=False, seen=(), names=NO_NAMES, known=(), plan=(), countable=NO_NAMES,
        finished=NO_NAMES, collected=(),
    )


def recheck(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Look at the objects again, and start over if one has changed."""
    view = writer.view
    assert view
    label = f"{writer.owner} looks again"
    if scenario.keeps("look again") and any(shared.site[page] != version for page, version in writer.seen):
        return [Step(f"{label}: changed", shared, _again(writer))]
    writer = writer._replace(seen=())
    if view.publisher == writer.owner and not view.is_building:
        return [Step(label, shared, writer._replace(at="plan", names=NO_NAMES))]
    if view.is_building and writer.kind == "continue":
        return [Step(label, shared, _again(writer))]
    if writer.names and not view.is_building:
        return [Step(label, shared, writer._replace(at="wait", view=None, fresh=False))]
    return [Step(label, shared, writer._replace(at="acknowledge", view=None, fresh=False, names=NO_NAMES))]


def plan(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Look at the pending files, and decide what to write in which order."""
    view = writer.view
    assert view
    files, known = files_of(scenario, view), dict(writer.known)
    if not scenario.keeps("manifest knows"):
        known = {}
    planned_writes: list[Write] = []
    right: set[str] = set()
    for name, receives in view.pending:
        if name in writer.finished:
            continue
        content = files.get(name)
        is_known = name in known
        published = known[name] if is_known else head(shared, name)
        if name == ROBOTS:
            content = Robots(published.rules if isinstance(published, Robots) else 0, roots(files))
        assert content is not None
        if content == published:
            right.add(name)
        else:
            planned_writes += writes(scenario, name, content, published, is_known=is_known, receives=receives)
    planned = writer._replace(
        at="write",
        plan=tuple(sorted(planned_writes, key=lambda each: (each.wave, each.name))),
        known=(),
        finished=writer.finished | (writer.countable & right),
        view=view if writer.fresh else None,
    )
    return [Step(f"{writer.owner} plans {[(w.wave, w.name) for w in planned_writes]}", shared, planned)]


def write(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Write one file of the earliest wave, or end the round."""
    if not writer.plan:
        return (settle if writer.kind == "daily" else give_back)(scenario, shared, writer)
    if not may_write(scenario, shared, writer):
        return [Step(f"{writer.owner} has no time left", shared, _again(writer))]
    first = writer.plan[0].wave
    return [step for each in writer.plan if each.wave == first for step in put(scenario, shared, writer, each)]


def unsure(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Wait until a request without an answer can no longer take effect, and look at its file."""
    if scenario.keeps("wait out") and any(each.owner == writer.owner and each.name for each in shared.late):
        return []
    name = next(iter(writer.names))
    target = next(each for each in writer.plan if each.name == name)
    present = head(shared, name)
    return [Step(f"{writer.owner} looks at {name} again", shared, seen_again(scenario, writer, target, present))]


def settle(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Of the daily pass: note that all is published, keep the role, and begin to delete."""
    if not writer.fresh:
        return reread(scenario, shared, writer)
    assert writer.view
    names = due(scenario, shared, writer.view)
    if not names or writer.view.publisher != writer.owner:
        return give_back(scenario, shared, writer)
    after = _without(writer.view, writer.finished)
    deletions = tuple(Write((0,), name, "", None) for name, _ in names)
    then = writer._replace(at="collect", plan=deletions, collected=names, finished=NO_NAMES, countable=NO_NAMES)
    again = writer._replace(at="reread", view=None, fresh=False, unsure=True)
    return replace_manifest(shared, writer, after, NO_NAMES, f"{writer.owner} removes its names", then, again)


def collect(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Of the daily pass: delete one file."""
    if not writer.plan:
        return give_back(scenario, shared, writer)
    if not may_write(scenario, shared, writer):
        return [Step(f"{writer.owner} has no time left", shared, _again(writer))]
    first = writer.plan[0]
    if first.name == "sitemap.xml" or not scenario.keeps("any order"):
        return delete(shared, writer, first)
    return [step for each in writer.plan for step in delete(shared, writer, each)]


def _without(view: Manifest, finished: frozenset[str]) -> Manifest:
    return view._replace(pending=tuple(each for each in view.pending if each[0] not in finished))


def give_back(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Replace the manifest without the role and the finished names; on 412, read it again."""
    if not writer.fresh:
        return reread(scenario, shared, writer)
    assert writer.view
    finished = writer.finished if scenario.keeps("remove own names") else NO_NAMES
    after = _without(writer.view, finished)
    after = after._replace(
        publisher=NOBODY, unreferenced=tuple(e for e in after.unreferenced if e not in writer.collected)
    )
    again = writer._replace(at="reread", view=None, fresh=False, unsure=True)
    then = Writer("acknowledge", writer.message, writer.kind, writer.owner, writer.config)
    return replace_manifest(shared, writer, after, NO_NAMES, f"{writer.owner} gives back", then, again)


def reread(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Read the manifest after a refused or unanswered replacement, and continue with what is left."""
    view = shared.manifest
    label = f"{writer.owner} reads the manifest again"
    if view.publisher != writer.owner:
        if writer.unsure and view.last == writer.owner:
            then = Writer("acknowledge", writer.message, writer.kind, writer.owner, writer.config)
            return [Step(f"{label}: its own", shared, then)]
        if not scenario.keeps("put back"):
            then = Writer("acknowledge", writer.message, writer.kind, writer.owner, writer.config)
            return [Step(f"{label}: not in the role", shared, then)]
        return [Step(f"{label}: not in the role", shared, _again(writer))]
    if view.config != writer.config or view.is_building:
        return [Step(f"{label}: a build", shared, writer._replace(at="release", view=view, fresh=True))]
    if writer.unsure and scenario.keeps("replace before writing again"):
        after = view._replace(last=NOBODY)
        then = writer._replace(at="reread", view=view, fresh=True, unsure=False)
        return replace_manifest(shared, writer, after, NO_NAMES, f"{label}, and replaces it", then, writer)
    left = view.pending_names - writer.finished
    again = writer._replace(view=view, fresh=True, countable=view.pending_names, unsure=False)
    if left and scenario.keeps("continue"):
        return [Step(f"{label}: more", shared, again._replace(at="plan"))]
    return [Step(label, shared, again._replace(at="settle" if writer.kind == "daily" else "give_back"))]


def release(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Give the role back where the manifest is no longer one that this process can publish."""
    view = writer.view
    assert view
    after = _without(view, writer.finished)._replace(publisher=NOBODY)
    at = "fail" if view.config != writer.config else "acknowledge"
    then = Writer(at, writer.message, writer.kind, writer.owner, writer.config)
    return replace_manifest(
        shared, writer, after, NO_NAMES, f"{writer.owner} gives back to a build", then, _again(writer)
    )


def put_back(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Add all names that were written to `pending`, after the role was lost to other settings."""
    view = writer.view
    assert view
    after, added = committed(scenario, view, view.pages, shared.day, writer.wrote)
    then = Writer("fail", writer.message, writer.kind, writer.owner, writer.config)
    return replace_manifest(shared, writer, after, added, f"{writer.owner} puts back", then, _again(writer))


def wait(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Look whether the names are published, or the role is free; else give up."""
    view = shared.manifest
    ended = writer._replace(at="acknowledge", names=NO_NAMES)
    if view.is_building or not scenario.keeps("wait") or not writer.names & view.pending_names:
        return [Step(f"{writer.owner} has waited", shared, ended)]
    if view.publisher == NOBODY or shared.lease == EXPIRED:
        return [Step(f"{writer.owner} finds the role free", shared, _again(writer))]
    return fail(shared, writer, "waits no longer")


PROGRAM: dict[str, Callable[[Scenario, Shared, Writer], list[Step]]] = {
    "read": read,
    "look": look,
    "robots": robots,
    "commit": commit,
    "recheck": recheck,
    "plan": plan,
    "write": write,
    "unsure": unsure,
    "settle": settle,
    "collect": collect,
    "give_back": give_back,
    "reread": reread,
    "release": release,
    "put_back": put_back,
    "wait": wait,
    "acknowledge": lambda scenario, shared, writer: acknowledge(shared, writer),
    "fail": lambda scenario, shared, writer: fail(shared, writer),
    **building.PROGRAM,
}
