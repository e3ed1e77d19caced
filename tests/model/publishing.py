"""The program of a writer after its commit: publish in the lease, or wait for the publisher."""

from collections.abc import Callable

from model.documents import ROBOTS, Content, Robots, roots
from model.ledger import committed, dated, files_of, ranges_of
from model.phases import LAST_OF_STAGE, found_writes, is_blocked, known_write, unreferenced_write
from model.requests import acknowledge, fail, head, may_write, put, replace_manifest, seen_again, spent, stamp_of
from model.state import (
    EXPIRED,
    NO_NAMES,
    NOBODY,
    SLEEP,
    Manifest,
    Replacement,
    Scenario,
    Shared,
    Step,
    Write,
    Writer,
)


def again(writer: Writer) -> Writer:
    """The writer at its beginning, with what it must not forget; a run that has committed does not commit again."""
    return writer._replace(
        at="next_phase" if writer.stage else "read",
        view=None,
        fresh=False,
        seen=(),
        wrong=NO_NAMES,
        awaited=NO_NAMES,
        unverified=NO_NAMES,
        known=(),
        plan=(),
        countable=NO_NAMES,
        finished=NO_NAMES,
        collected=(),
        record=-1,
    )


def end(scenario: Scenario, writer: Writer) -> Writer:
    """The writer at its end; one that has continued somebody's build still has to commit its own keys."""
    at = "read" if writer.owes_keys else "acknowledge"
    return Writer(at, writer.message, scenario.messages[writer.message].kind, writer.owner, writer.config)


def plan(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Look at the pending files of which the manifest knows too little, and decide what to write in which order."""
    view = writer.view
    assert view
    planned_writes: list[Write] = []
    right = set[str]()
    for name in sorted(view.pending_names - writer.finished):
        found = _planned(scenario, shared, writer, view, name)
        planned_writes += found
        right |= set() if found else {name}
    planned = writer._replace(
        at="write",
        plan=tuple(sorted(planned_writes, key=lambda each: (each.phase, each.name))),
        known=(),
        finished=writer.finished | (writer.countable & right),
        view=view if writer.fresh else None,
        rules=view.rules,
    )
    return [Step(f"{writer.owner} plans {[(each.phase, each.name) for each in planned_writes]}", shared, planned)]


def _planned(scenario: Scenario, shared: Shared, writer: Writer, view: Manifest, name: str) -> list[Write]:
    """The writes of one pending file; none if it is right."""
    known = dict(writer.known)
    if name in known and known[name].is_unreferenced:
        return unreferenced_write(scenario, name, files_of(scenario, view)[name], head(shared, name))
    if name in known:
        named = ranges_of(scenario, view)[name]
        return [known_write(scenario, name, named.content, named.end, known[name])]
    present = head(shared, name)
    content = _target(scenario, view, name, present)
    if content == present or (is_blocked(name, present) and scenario.keeps("blocked")):
        return []
    is_outdated = dict(shared.stamps).get(name, 0) != stamp_of(view.config, view.rules)
    if scenario.keeps("outdated by build"):
        is_outdated = is_outdated and dict(view.pending)[name]
    return found_writes(scenario, name, content, present, is_outdated=is_outdated)


def _target(scenario: Scenario, view: Manifest, name: str, present: Content | None) -> Content:
    if name == ROBOTS:
        return Robots(present.rules if isinstance(present, Robots) else 0, roots(files_of(scenario, view)))
    return files_of(scenario, view)[name]


def write(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Write one file of the earliest phase, or end the round; a run ends a stage."""
    has_stages = writer.stage and scenario.keeps("run's phases")
    left = [each for each in writer.plan if not has_stages or each.phase <= LAST_OF_STAGE[writer.stage]]
    if writer.plan and not left:
        return [Step(f"{writer.owner} begins the next phase", shared, writer._replace(at="next_phase"))]
    if not writer.plan:
        return (settle if writer.kind in ("rebuild", "run") else give_back)(scenario, shared, writer)
    if not (may_write(scenario, shared, writer) or writer.overslept):
        then = writer._replace(at="next_phase", view=None, fresh=False) if writer.stage else again(writer)
        return [Step(f"{writer.owner} has no time left", shared, then)]
    some = [each for each in left if each.phase == left[0].phase or (writer.stage and not has_stages)]
    steps = [] if writer.overslept else _sleeps(shared, writer)
    writer = writer._replace(overslept=False)
    for each in some:
        if each.name not in writer.unverified:
            unsure = writer._replace(unverified=writer.unverified | {each.name})
            steps += put(scenario, shared, writer, each, unsure if writer.stage else unsure._replace(at="unverified"))
    return steps + (look_at_doubtful(scenario, shared, writer) if writer.stage else [])


def _sleeps(shared: Shared, writer: Writer) -> list[Step]:
    """The process is stopped after it has looked at its clock, until its lease has ended."""
    if not shared.faults[SLEEP] or writer.stage:
        return []
    label = f"{writer.owner} sleeps beyond its lease before it writes"
    return [Step(label, spent(shared, SLEEP)._replace(lease=EXPIRED), writer._replace(overslept=True))]


def look_at_doubtful(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """After a request without an answer can no longer take effect, look at its file."""
    rule = "run waits of workers" if writer.stage else "wait out"
    steps = []
    for name in sorted(writer.unverified):
        if scenario.keeps(rule) and any(each.owner == writer.owner and each.name == name for each in shared.late):
            continue
        seen = seen_again(scenario, shared, writer, name)
        seen = seen._replace(at="write", unverified=writer.unverified - {name})
        steps.append(Step(f"{writer.owner} looks at {name} again", shared, seen))
    return steps


def without(view: Manifest, finished: frozenset[str]) -> Manifest:
    """The manifest without the finished names in `pending`."""
    return view._replace(pending=tuple(each for each in view.pending if each[0] not in finished))


def settle(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Of a rebuild or a run: note that all is published, keep the lease, and begin to delete."""
    if not writer.fresh:
        return reread(scenario, shared, writer)
    view = writer.view
    assert view
    if not scenario.keeps("delete in lease"):
        after = without(view, writer.finished)._replace(publisher=NOBODY)
    elif view.publisher != writer.owner:
        return give_back(scenario, shared, writer)
    else:
        after = dated(scenario, without(view, writer.finished), shared.day)
    then = writer._replace(at="collect", finished=NO_NAMES, countable=NO_NAMES)
    unanswered = writer._replace(at="reread", view=None, fresh=False)
    label = f"{writer.owner} removes its names"
    return replace_manifest(scenario, shared, writer, Replacement(after), label, then, unanswered)


def give_back(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Replace the manifest without the lease and the finished names; on 412, read it again."""
    if not writer.fresh:
        return reread(scenario, shared, writer)
    assert writer.view
    after = without(writer.view, writer.finished if scenario.keeps("remove names") else NO_NAMES)
    unreferenced = tuple(each for each in after.unreferenced if each not in writer.collected)
    after = dated(scenario, after._replace(publisher=NOBODY, unreferenced=unreferenced), shared.day)
    if after == writer.view:
        return [Step(f"{writer.owner} has nothing to give back", shared, end(scenario, writer))]
    unanswered = writer._replace(at="reread", view=None, fresh=False)
    label = f"{writer.owner} gives back"
    return replace_manifest(scenario, shared, writer, Replacement(after), label, end(scenario, writer), unanswered)


def reread(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Read the manifest after a refused or unanswered replacement, and continue with what is left."""
    view = shared.manifest
    label = f"{writer.owner} reads the manifest again"
    is_own = writer.unsure and view.last == writer.owner
    if view.publisher != writer.owner:
        if is_own or writer.kind == "run" or not scenario.keeps("put back"):
            return [Step(f"{label}: out of the lease", shared, end(scenario, writer))]
        return [Step(f"{label}: not in the lease", shared, again(writer))]
    if view.config != writer.config or view.is_building:
        return [Step(f"{label}: a build", shared, writer._replace(at="release", view=view, fresh=True))]
    left = view.pending_names - writer.finished
    present = writer._replace(view=view, fresh=True, countable=view.pending_names, unsure=False)
    if left and scenario.keeps("continue"):
        return [Step(f"{label}: more", shared, present._replace(at="plan", stage=min(writer.stage, 1)))]
    at = "settle" if writer.kind in ("rebuild", "run") else "give_back"
    return [Step(label, shared, present._replace(at=at))]


def release(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Give the lease back where the manifest is no longer one that this process can publish."""
    view = writer.view
    assert view
    after = without(view, writer.finished)._replace(publisher=NOBODY)
    waits = view.config != writer.config or writer.kind in ("rebuild", "robots", "publish")
    then = end(scenario, writer)._replace(at="fail" if waits else "read")
    if writer.kind == "run":
        then = end(scenario, writer)
    label = f"{writer.owner} gives back to a build"
    return replace_manifest(scenario, shared, writer, Replacement(after), label, then, again(writer))


def put_back(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Add all names that were written to `pending`, after the lease was lost to other settings."""
    view = writer.view
    assert view
    found = committed(scenario, view, view.pages, writer.wrote)
    then = end(scenario, writer)._replace(at="fail")
    what = Replacement(found.after, found.added)
    return replace_manifest(scenario, shared, writer, what, f"{writer.owner} puts back", then, again(writer))


def wait(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Look whether the names are published, or the lease is free; else give up."""
    view = shared.manifest
    if not scenario.keeps("wait"):
        return acknowledge(shared, writer)
    if view.is_building or view.config != writer.config:
        return [Step(f"{writer.owner} finds a build", shared, again(writer))]
    if not writer.awaited & view.pending_names:
        return [Step(f"{writer.owner} has waited", shared, end(scenario, writer))]
    if view.publisher == NOBODY or shared.lease == EXPIRED:
        return [Step(f"{writer.owner} finds the lease free", shared, again(writer))]
    return fail(shared, writer, "waits no longer")


PROGRAM: dict[str, Callable[[Scenario, Shared, Writer], list[Step]]] = {
    "plan": plan,
    "write": write,
    "unverified": look_at_doubtful,
    "settle": settle,
    "give_back": give_back,
    "reread": reread,
    "release": release,
    "put_back": put_back,
    "wait": wait,
}
