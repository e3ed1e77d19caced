"""The program of a distributed run: it scans, commits, and publishes by workers in three phases."""

from collections.abc import Callable

from model.ledger import committed, wrong_names
from model.phases import LAST_OF_STAGE
from model.publishing import again, end
from model.requests import replace_manifest, with_message
from model.state import (
    ACKNOWLEDGED,
    EXPIRED,
    NO_NAMES,
    NOBODY,
    UNSENT,
    VISIBLE,
    Manifest,
    Replacement,
    Scenario,
    Shared,
    Step,
    Writer,
)


def next_of_run(shared: Shared, writer: Writer, view: Manifest) -> str:
    """What follows when a run has read a complete manifest of its settings."""
    if view.builder == writer.owner:
        return "scan"
    if view.builder != NOBODY and shared.builder_lease != EXPIRED:
        return "fail"
    return "begin_run"


def with_deferred(scenario: Scenario, view: Manifest, writer: Writer) -> Manifest:
    """The manifest with the keys of an update left to the run in progress, or without a run that died."""
    if view.is_run and writer.kind != "rebuild":
        keys = scenario.messages[writer.message].pages if scenario.keeps("deferred keys") else ()
        return view._replace(deferred=tuple(sorted({*view.deferred, *keys})))
    if view.is_run and writer.kind == "rebuild":
        return view._replace(builder=NOBODY, is_run=False, deferred=())
    return view


def begin_run(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Record in the manifest that a run is in progress."""
    view = writer.view
    assert view
    after = view._replace(builder=writer.owner, is_run=True, deferred=())
    then = writer._replace(at="scan", unsure=False)
    label = f"{writer.owner} begins its run"
    return replace_manifest(scenario, shared, writer, Replacement(after, confirms=True), label, then, again(writer))


def scan(_scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Read all objects; updates go on meanwhile, so the manifest is read again after that."""
    seen = tuple(enumerate(shared.site))
    then = writer._replace(at="read_for_commit", seen=seen, view=None, fresh=False, stage=1)
    return [Step(f"{writer.owner} scans all pages", shared, then)]


def read_for_commit(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Read the manifest, which has the keys that updates have left to the run."""
    view = shared.manifest
    label = f"{writer.owner} reads the manifest for its commit"
    if view.publisher == writer.owner:
        committed_run = writer._replace(at="plan", view=view, fresh=True, countable=view.pending_names, unsure=False)
        return [Step(f"{label}: done", shared, committed_run._replace(rules=view.rules))]
    if view.builder != writer.owner:
        return [Step(f"{label}: another builder", shared, end(scenario, writer))]
    if view.publisher != NOBODY and shared.lease != EXPIRED:
        return []
    writer = writer._replace(view=view, fresh=True, unsure=writer.unsure and view.last != writer.owner)
    return [Step(label, shared, writer._replace(at="look_at_deferred"))]


def look_at_deferred(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Look at the pages that updates have left to the run, and at all published files."""
    view = writer.view
    assert view
    seen = {**dict(writer.seen), **{page: shared.site[page] for page in view.deferred}}
    wrong = wrong_names(scenario, shared, view._replace(pages=tuple(seen[page] for page in range(len(view.pages)))))
    then = writer._replace(at="commit_run", seen=tuple(sorted(seen.items())), wrong=wrong)
    return [Step(f"{writer.owner} looks at {list(view.deferred)}", shared, then)]


def commit_run(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Send the message `publish`, commit all pages, and take the lease, which is free."""
    view = writer.view
    assert view
    pages = tuple(version for _, version in writer.seen)
    found = committed(scenario, view, pages, writer.wrong)
    after = found.after._replace(builder=NOBODY, is_run=False, deferred=())
    then = writer._replace(at="plan", seen=(), wrong=NO_NAMES, unsure=False, rules=view.rules)
    then = then._replace(countable=after.pending_names)
    what = Replacement(after, found.added, takes=True, confirms=True)
    unanswered = writer._replace(at="read_for_commit", view=None, fresh=False)
    label = f"{writer.owner} commits its run"
    steps = replace_manifest(scenario, shared, writer, what, label, then, unanswered)
    return with_publish_message(scenario, writer, steps)


def with_publish_message(scenario: Scenario, writer: Writer, steps: list[Step]) -> list[Step]:
    """The steps of a run that take the lease, with the message sent before."""
    message = scenario.messages[writer.message].publish
    if message < 0:
        return steps
    state = VISIBLE if scenario.keeps("publish message") else ACKNOWLEDGED
    return [
        step._replace(shared=with_message(step.shared, message, state))
        for step in steps
        if step.shared.messages[message] in (UNSENT, VISIBLE, ACKNOWLEDGED)
    ]


def next_phase(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Set the end of the lease by a replacement before the workers begin a phase, or continue one."""
    view = shared.manifest
    label = f"{writer.owner} prepares its workers"
    if view.publisher != writer.owner:
        return [Step(f"{label}: not in the lease", shared, end(scenario, writer))]
    if view.config != writer.config or view.is_building:
        return [Step(f"{label}: a build", shared, writer._replace(at="release", view=view, fresh=True))]
    present = writer._replace(view=view, fresh=True)
    is_over = all(each.phase > LAST_OF_STAGE[writer.stage] for each in writer.plan)
    stage = min(writer.stage + 1, len(LAST_OF_STAGE) - 1) if is_over else writer.stage
    then = writer._replace(at="write", stage=stage, unsure=False, view=None, fresh=False)
    what = Replacement(view, takes=True)
    return replace_manifest(scenario, shared, present, what, label, then, writer._replace(view=None, fresh=False))


PROGRAM: dict[str, Callable[[Scenario, Shared, Writer], list[Step]]] = {
    "begin_run": begin_run,
    "scan": scan,
    "read_for_commit": read_for_commit,
    "look_at_deferred": look_at_deferred,
    "commit_run": commit_run,
    "next_phase": next_phase,
}
