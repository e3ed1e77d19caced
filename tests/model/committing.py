"""The program of a writer up to its commit: read the manifest, look at the objects, replace the manifest."""

from collections.abc import Callable

from model import building, distributed
from model.documents import ROBOTS, Robots, roots
from model.ledger import committed, files_of, present_rules, wrong_names
from model.publishing import again, end
from model.requests import acknowledge, fail, head, replace_manifest
from model.state import (
    EXPIRED,
    FIRST_RUN,
    NO_NAMES,
    NOBODY,
    VALID,
    Manifest,
    Records,
    Replacement,
    Scenario,
    Shared,
    Step,
    Writer,
)


def read(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Read the manifest, and decide what is to be done."""
    view = shared.manifest
    writer = writer._replace(view=view, fresh=True, unsure=writer.unsure and view.last != writer.owner)
    at = _next(scenario, shared, writer, view)
    return [Step(f"{writer.owner} reads the manifest", shared, writer._replace(at=at))]


def _next(scenario: Scenario, shared: Shared, writer: Writer, view: Manifest) -> str:
    if view.publisher == writer.owner and (view.config != writer.config or view.is_building):
        return "release"
    if view.config != writer.config:
        if writer.wrote and not view.is_building and scenario.keeps("put back"):
            return "put_back"
        return building.next_with_other_settings(scenario, shared, writer, view)
    if view.is_building:
        return building.next_during_build(scenario, shared, writer, view)
    if writer.kind == "run":
        return distributed.next_of_run(shared, writer, view)
    if writer.kind == "rebuild" and _has_live_run(shared, view):
        return "fail"
    if writer.kind in ("robots", "rebuild") and scenario.has_robots:
        return "robots"
    return "look"


def _has_live_run(shared: Shared, view: Manifest) -> bool:
    return view.is_run and shared.builder_lease != EXPIRED


def robots(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Compare the rules of robots.txt with the manifest's, and the sitemaps that it names."""
    view, present, rules = writer.view, head(shared, ROBOTS), present_rules(shared)
    assert view
    label = f"{writer.owner} reads robots.txt"
    if rules != view.rules:
        if view.builder and shared.builder_lease != EXPIRED and view.builder != writer.owner:
            return fail(shared, writer)
        return [Step(label, shared, writer._replace(at="begin", rules=rules))]
    if view.is_building:
        if scenario.keeps("messages wait for builds"):
            return fail(shared, writer)
        return [Step(label, shared, writer._replace(at="acknowledge", view=None))]
    if writer.kind == "rebuild":
        return [Step(label, shared, writer._replace(at="look", rules=rules))]
    named = present.roots if isinstance(present, Robots) else ()
    files = files_of(scenario, view)
    wrong = frozenset({ROBOTS}) if files and named != roots(files) else NO_NAMES
    return [Step(label, shared, writer._replace(at="commit", wrong=wrong))]


def look(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Look at the objects, or at the output, of the message."""
    message, view = scenario.messages[writer.message], writer.view
    assert view
    pages = {"pages": message.pages, "rebuild": tuple(range(len(shared.site)))}.get(writer.kind, ())
    wrong = writer.wrong
    if writer.kind == "output" and message.name in wrong_names(scenario, shared, view):
        wrong = frozenset({message.name})
    seen = tuple((page, shared.site[page]) for page in pages)
    at = "check" if writer.kind == "rebuild" else "records" if scenario.has_records else "commit"
    return [Step(f"{writer.owner} looks", shared, writer._replace(at=at, seen=seen, wrong=wrong))]


def check(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Of a rebuild: look at all published files, and read robots.txt again, before the commit."""
    view = writer.view
    assert view
    label = f"{writer.owner} looks at the files"
    if scenario.has_robots and present_rules(shared) != view.rules and scenario.keeps("rules again"):
        return [Step(f"{label}: other rules", shared, again(writer))]
    wrong = wrong_names(scenario, shared, view._replace(pages=merged(view, writer.seen)))
    if not scenario.keeps("look at files"):
        wrong = NO_NAMES
    at = "records" if scenario.has_records else "commit"
    return [Step(label, shared, writer._replace(at=at, wrong=wrong))]


def merged(view: Manifest, seen: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """The pages of a manifest with what was seen of some."""
    found = dict(seen)
    return tuple(found.get(page, version) for page, version in enumerate(view.pages))


def write_records(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Write the records of the commit under a new name, if pages changed."""
    view, records = writer.view, shared.records
    assert view
    if merged(view, writer.seen) == view.pages:
        return [Step(f"{writer.owner} needs no records", shared, writer._replace(at="commit", record=-1))]
    own = range(writer.owner * 4, writer.owner * 4 + 4)
    late = (each.content.after.record for each in shared.late if isinstance(each.content, Replacement))
    in_use = {view.record, *late} if scenario.keeps("new records") else {view.record}
    number = next(n for n in own if n not in in_use)
    kept = dict(each for each in records.present if each[0] not in own or each[0] in in_use)
    present = tuple(sorted((kept | {number: merged(view, writer.seen)}).items()))
    after = shared._replace(records=Records(present, records.noted - {number}, records.day))
    return [Step(f"{writer.owner} writes records {number}", after, writer._replace(at="commit", record=number))]


def commit(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Replace the manifest if anything changed, or if the lease is to be taken."""
    view = writer.view
    assert view
    if view.is_building:
        return building.commit_during_build(scenario, shared, writer, view)
    holds = view.publisher == writer.owner
    before = distributed.with_deferred(scenario, view, writer)
    names = writer.wrong | (NO_NAMES if holds or not scenario.keeps("put back") else writer.wrote)
    found = committed(scenario, before, merged(view, writer.seen), names)
    after = found.after._replace(record=writer.record if writer.record >= 0 else view.record)
    takes = _takes(scenario, shared, writer, view, after, is_changed=after != view or bool(found.added))
    confirms = writer.kind == "rebuild"
    must = confirms and scenario.keeps("rebuild confirms")
    must = must or (writer.unsure and scenario.keeps("replace when unsure"))
    must = must or (view.is_run and scenario.keeps("updates replace in runs"))
    seen = tuple((page, version) for page, version in writer.seen if view.pages[page] != version)
    awaited = found.added or after.pending_names
    then = writer._replace(at="recheck", seen=seen, awaited=awaited, wrong=NO_NAMES, unsure=False, record=-1)
    renews = takes and not (holds and shared.lease == VALID)
    if after == view and not found.added and not must and not renews:
        label = f"{writer.owner} finds nothing changed"
        return [Step(label, shared, then._replace(countable=after.pending_names, rules=view.rules))]
    then = then._replace(
        known=found.known if takes else (),
        countable=after.pending_names if takes else NO_NAMES,
        finished=NO_NAMES,
        wrote=writer.wrote if holds else NO_NAMES,
        rules=view.rules,
    )
    what = Replacement(after, found.added, takes, confirms and scenario.keeps("rebuild confirms"))
    return replace_manifest(scenario, shared, writer, what, f"{writer.owner} commits", then, again(writer))


def _takes(
    scenario: Scenario, shared: Shared, writer: Writer, view: Manifest, after: Manifest, *, is_changed: bool
) -> bool:
    """Whether the commit takes the publisher's lease, or renews it."""
    holds = view.publisher == writer.owner
    is_free = view.publisher == NOBODY or shared.lease == EXPIRED or holds
    is_after_run = writer.kind == "publish" and view.publisher >= FIRST_RUN
    wants = bool(after.pending) or holds or writer.kind == "rebuild" or is_after_run
    return is_free and wants and (is_changed or scenario.keeps("take when pending"))


def recheck(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Look at the changed objects again, and start over if one has changed since."""
    view = writer.view
    assert view
    label = f"{writer.owner} looks again"
    if any(shared.site[page] != version for page, version in writer.seen) and scenario.keeps("look again"):
        return [Step(f"{label}: changed", shared, again(writer))]
    return [Step(label, shared, _after_commit(scenario, writer._replace(seen=()), view))]


def _after_commit(scenario: Scenario, writer: Writer, view: Manifest) -> Writer:
    if view.publisher == writer.owner and not view.is_building:
        return writer._replace(at="plan", awaited=NO_NAMES, stage=min(writer.stage, 1))
    waits_for_run = writer.kind == "publish" and scenario.keeps("publish waits")
    if view.is_building:
        return end(scenario, writer)
    if view.publisher >= FIRST_RUN:
        return writer._replace(at="fail") if waits_for_run else end(scenario, writer)
    if writer.awaited:
        return writer._replace(at="wait", view=None, fresh=False)
    return end(scenario, writer)


PROGRAM: dict[str, Callable[[Scenario, Shared, Writer], list[Step]]] = {
    "read": read,
    "robots": robots,
    "look": look,
    "check": check,
    "records": write_records,
    "commit": commit,
    "recheck": recheck,
    "acknowledge": lambda scenario, shared, writer: acknowledge(shared, writer),
    "fail": lambda scenario, shared, writer: fail(shared, writer),
}
