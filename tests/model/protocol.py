"""All that may happen next in a state: a step of a writer, of the environment, or of time."""

from documents import written
from requests import fail, spent, take, with_manifest, with_message
from state import (
    AS_PUBLISH, CRASH, EXPIRED, IDLE, LATE, MARGIN, NOBODY, PAUSE, TAKEN, VALID, VISIBLE,
    Late, Notice, Scenario, Shared, Step, Writer,
)
from writer import PROGRAM

BEFORE_COMMIT = {"look", "robots", "commit", "put_back", "release", "find_rules", "begin", "list", "find_rules_again",
                 "portion"}
IN_ROLE = {"recheck", "plan", "write", "unsure", "settle", "collect", "give_back", "reread", "find_rules_after"}


def writer_steps(scenario: Scenario, shared: Shared, writer: Writer, slot: int) -> list[Step]:
    """The steps of one process; of an idle one, to take a message."""
    if writer == IDLE:
        return [
            take(scenario, shared, slot, message)
            for message, state in enumerate(shared.messages)
            if state in (VISIBLE, AS_PUBLISH) and _may_be_delivered(scenario, shared, message)
        ]
    steps = PROGRAM[writer.at](scenario, shared, writer)
    if shared.faults[CRASH] and _may_crash(shared, writer):
        left = shared._replace(faults=spent(shared.faults, CRASH))
        lost = writer.kind == "publish" or (writer.kind == "daily" and not scenario.keeps("daily again"))
        state = AS_PUBLISH if lost else VISIBLE
        steps = [*steps, Step(f"{writer.owner} dies", with_message(left, writer.message, state), IDLE)]
    return steps


def _may_be_delivered(scenario: Scenario, shared: Shared, message: int) -> bool:
    """A message comes again only after the requests of its last process can no longer take effect."""
    return not scenario.keeps("later than the margin") or all(each.message != message for each in shared.late)


def _may_crash(shared: Shared, writer: Writer) -> bool:
    """Whether a crash differs from a process that never began."""
    manifest = shared.manifest
    return writer.owner in (manifest.publisher, manifest.builder) or bool(writer.wrote) or writer.at not in ("read", "fail")


def noticed(writer: Writer, notice: Notice) -> Writer:
    """A process after another one has replaced the manifest; before its own replacement it has to start over."""
    if writer == IDLE:
        return writer
    before = writer.saw_settings_before or notice.is_other_config
    if writer.at in BEFORE_COMMIT:
        return writer._replace(
            at="read", view=None, fresh=False, seen=(), names=frozenset(), known=(), plan=(), countable=frozenset(),
            finished=frozenset(), saw_settings_before=before,
        )
    if writer.at in IN_ROLE:
        keeps_view = writer.at in ("recheck", "plan", "find_rules_after")
        return writer._replace(
            fresh=False,
            view=writer.view if keeps_view else None,
            countable=writer.countable - notice.added,
            finished=writer.finished - notice.added,
            saw_settings_before=before,
        )
    return writer._replace(saw_settings_before=before)


def environment_steps(scenario: Scenario, shared: Shared) -> list[Step]:
    """What happens outside of the writers: scripted actions, the end of leases, requests that arrive late."""
    return [*_actions(scenario, shared), *_leases(scenario, shared), *_arrivals(scenario, shared)]


def _actions(scenario: Scenario, shared: Shared) -> list[Step]:
    steps = []
    for n, script in enumerate(scenario.scripts):
        done = shared.scripts[n]
        if done == len(script):
            continue
        action = script[done]
        scripts = (*shared.scripts[:n], done + 1, *shared.scripts[n + 1 :])
        after = action.change(shared)._replace(scripts=scripts)
        if action.needs_quiet:
            if any(each >= TAKEN for each in shared.messages):
                if not shared.faults[PAUSE]:
                    continue
                after = after._replace(faults=spent(shared.faults, PAUSE))
            if shared.late:
                continue
            after = after._replace(lease=EXPIRED, builder_lease=EXPIRED)
        if action.message >= 0:
            after = with_message(after, action.message, VISIBLE)
        steps.append(Step(action.label, after, IDLE, is_tampering=action.is_tampering))
    return steps


def _leases(scenario: Scenario, shared: Shared) -> list[Step]:
    manifest, steps = shared.manifest, []
    if manifest.publisher and shared.lease != EXPIRED:
        is_live = TAKEN + manifest.publisher in shared.messages
        if is_live and shared.lease == VALID:
            if shared.faults[PAUSE]:
                after = shared._replace(lease=MARGIN, faults=spent(shared.faults, PAUSE))
                steps.append(Step("the publisher pauses until its margin", after, IDLE))
        elif not scenario.keeps("margin") or all(each.owner != manifest.publisher for each in shared.late):
            steps.append(Step("the publisher's lease ends", shared._replace(lease=EXPIRED), IDLE))
    if manifest.builder and shared.builder_lease != EXPIRED:
        is_live = TAKEN + manifest.builder in shared.messages
        after = shared._replace(builder_lease=EXPIRED)
        if not is_live:
            steps.append(Step("the builder's lease ends", after, IDLE))
        elif shared.faults[PAUSE]:
            after = after._replace(faults=spent(shared.faults, PAUSE))
            steps.append(Step("the builder pauses", after, IDLE))
    return steps


def _arrivals(scenario: Scenario, shared: Shared) -> list[Step]:
    steps = []
    for each in shared.late:
        without = shared._replace(late=tuple(other for other in shared.late if other != each))
        what = each.name or "the manifest"
        steps.append(Step(f"a late request of {each.owner} for {what} is lost", without, IDLE))
        if not each.name:
            after, added, takes = each.content  # type: ignore[misc]
            notice = Notice(added, after.config != shared.manifest.config)
            done = with_manifest(without, after, each.owner, takes=takes)
            steps.append(Step(f"a late replacement of the manifest by {each.owner} takes effect", done, IDLE, notice))
        elif dict(shared.files).get(each.name) == each.expected or not scenario.keeps("If-Match"):
            files = written(without.files, each.name, each.content)  # type: ignore[arg-type]
            steps.append(Step(f"a late request of {each.owner} writes {each.name}", without._replace(files=files), IDLE))
    return steps
