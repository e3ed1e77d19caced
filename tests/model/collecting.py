"""The program of a pass that deletes: files, and records, that nothing has named for a day."""

from collections.abc import Callable

from model.documents import Index
from model.ledger import OPEN, files_of
from model.publishing import again, give_back
from model.requests import delete, head, may_write
from model.state import Manifest, Scenario, Shared, Step, Write, Writer


def due(scenario: Scenario, shared: Shared, view: Manifest) -> tuple[tuple[str, int], ...]:
    """The files that may be deleted: not named for at least a day."""
    wait = 1 if scenario.keeps("a day") else 0
    if not files_of(scenario, view):
        return ()
    return tuple(each for each in view.unreferenced if each[1] != OPEN and each[1] + wait <= shared.day)


def collect(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """List what is to be deleted, by the manifest that the process has just made."""
    view = writer.view
    assert view
    names = due(scenario, shared, view)
    present = {name: head(shared, name) for name, _ in names}
    plan = tuple(Write(1 if isinstance(present[name], Index) else 2, name, "", present[name]) for name, _ in names)
    plan = tuple(sorted(plan, key=lambda each: (each.phase, each.name)))
    then = writer._replace(at="delete", plan=plan, collected=names)
    return [Step(f"{writer.owner} will delete {[each.name for each in plan]}", shared, then)]


def delete_next(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Delete one file: indexes first; then the records."""
    if not writer.plan:
        return _records(scenario, shared, writer)
    if not may_write(scenario, shared, writer) and scenario.keeps("delete in lease"):
        return [Step(f"{writer.owner} has no time left", shared, again(writer))]
    first = writer.plan[0].phase
    steps = []
    for each in writer.plan:
        if each.phase == first or not scenario.keeps("indexes first"):
            unsure = writer._replace(at="doubtful_delete")
            steps += delete(shared, writer, each, unsure)
    return steps


def wait_for_delete(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Wait until a deletion without an answer can no longer take effect, and repeat it."""
    if scenario.keeps("wait out") and any(each.owner == writer.owner and each.name for each in shared.late):
        return []
    return [Step(f"{writer.owner} continues to delete", shared, writer._replace(at="delete"))]


def _records(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Delete the records that were noted a day ago and are still unnamed, and note what is unnamed now."""
    records, view = shared.records, writer.view
    is_due = scenario.has_records and records.day < shared.day and view and not view.builder
    if not is_due:
        return give_back(scenario, shared, writer._replace(at="give_back"))
    assert view
    if not may_write(scenario, shared, writer):
        return [Step(f"{writer.owner} has no time left", shared, again(writer))]
    named = {view.record} if scenario.keeps("fresh records list") else set()
    unnamed = frozenset(dict(records.present)) - named
    old = unnamed & records.noted if scenario.keeps("records a day") else unnamed
    present = tuple(each for each in records.present if each[0] not in old)
    after = records._replace(present=present, noted=unnamed - old, day=shared.day)
    then = writer._replace(at="give_back", view=view if writer.fresh else None)
    label = f"{writer.owner} deletes records {sorted(old)}, notes {sorted(unnamed - old)}"
    return [Step(label, shared._replace(records=after), then)]


PROGRAM: dict[str, Callable[[Scenario, Shared, Writer], list[Step]]] = {
    "collect": collect,
    "delete": delete_next,
    "doubtful_delete": wait_for_delete,
}
