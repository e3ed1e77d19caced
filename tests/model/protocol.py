"""All that may happen next in a state: a step of a writer, of the environment, or of time."""

from model import building, collecting, committing, distributed, publishing
from model.documents import ROBOTS
from model.requests import notice_of, spent, take, tidy, with_file, with_manifest, with_message
from model.state import (
    ACKNOWLEDGED,
    CRASH,
    EXPIRED,
    IDLE,
    MARGIN,
    NO_NAMES,
    PAUSE,
    TAKEN,
    UNSENT,
    VALID,
    VISIBLE,
    Action,
    Late,
    Notice,
    Replacement,
    Scenario,
    Shared,
    Step,
    Writer,
)

PROGRAM = {
    **committing.PROGRAM,
    **publishing.PROGRAM,
    **collecting.PROGRAM,
    **building.PROGRAM,
    **distributed.PROGRAM,
}
IN_ROLE = frozenset({"recheck", "find_rules_after", "next_phase", *publishing.PROGRAM, *collecting.PROGRAM}) - {
    "wait",
    "put_back",
    "release",
}
BEFORE_COMMIT = frozenset(PROGRAM) - IN_ROLE - {"read", "acknowledge", "fail", "wait"}
AFTER_REFUSAL = {
    "scan": "scan",
    "read_for_commit": "read_for_commit",
    "look_at_deferred": "read_for_commit",
    "commit_run": "read_for_commit",
}
KEEPS_VIEW = frozenset({"recheck", "plan", "find_rules_after", "collect", "delete", "doubtful_delete"})


def writer_steps(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """The steps of one process; of an idle one, to take a message."""
    if writer == IDLE:
        return [
            take(scenario, shared, message)
            for message, state in enumerate(shared.messages)
            if state == VISIBLE and _may_be_delivered(scenario, shared, message)
        ]
    steps = PROGRAM[writer.at](scenario, shared, writer)
    if shared.faults[CRASH] and _may_crash(shared, writer):
        state = VISIBLE if _is_redelivered(scenario, writer) else ACKNOWLEDGED
        steps = [
            *steps,
            Step(f"{writer.owner} dies", with_message(spent(shared, CRASH), writer.message, state), IDLE),
        ]
    return steps


def _is_redelivered(scenario: Scenario, writer: Writer) -> bool:
    kind = scenario.messages[writer.message].kind
    if kind == "run":
        return not writer.stage or writer.at in AFTER_REFUSAL  # after its commit the message `publish` is left
    return kind != "rebuild" or scenario.keeps("rebuild again")


def _may_be_delivered(scenario: Scenario, shared: Shared, message: int) -> bool:
    """A message comes again only after the requests of its last process can no longer take effect."""
    if not scenario.keeps("redelivery"):
        return True
    is_publish = scenario.messages[message].kind == "publish"
    return all(each.message != message and not is_publish for each in shared.late)


def _may_crash(shared: Shared, writer: Writer) -> bool:
    """Whether a crash differs from a process that never began."""
    manifest = shared.manifest
    return (
        writer.owner in (manifest.publisher, manifest.builder)
        or bool(writer.wrote)
        or writer.at not in ("read", "fail")
    )


def noticed(writer: Writer, notice: Notice) -> Writer:
    """A process after another one has replaced the manifest; before its own replacement it has to start over."""
    if writer == IDLE:
        return writer
    if writer.at in AFTER_REFUSAL:
        return writer._replace(at=AFTER_REFUSAL[writer.at], view=None, fresh=False, wrong=NO_NAMES)
    if writer.at in BEFORE_COMMIT:
        return publishing.again(writer)
    if writer.at in IN_ROLE:
        return writer._replace(
            fresh=False,
            view=writer.view if writer.at in KEEPS_VIEW else None,
            countable=writer.countable - notice.added,
            finished=writer.finished - notice.added,
        )
    return writer


def environment_steps(scenario: Scenario, shared: Shared) -> list[Step]:
    """What happens outside of the writers: scripted actions, the end of leases, requests that arrive late."""
    return [*_actions(scenario, shared), *_leases(scenario, shared), *_arrivals(scenario, shared)]


def _actions(scenario: Scenario, shared: Shared) -> list[Step]:
    steps = []
    for n, script in enumerate(scenario.scripts):
        done = shared.scripts[n]
        if done < len(script) and (before := _before(shared, script[done])):
            action = script[done]
            after = action.change(before)._replace(scripts=(*shared.scripts[:n], done + 1, *shared.scripts[n + 1 :]))
            if action.message >= 0:
                after = with_message(after, action.message, VISIBLE)
            steps.append(Step(action.label, after, IDLE, is_tampering=action.is_tampering))
    return steps


def _before(shared: Shared, action: Action) -> Shared | None:
    """The state in which an action happens, or None if it cannot; on another day processes have ended, or sleep."""
    if action.waits and any(each not in (UNSENT, ACKNOWLEDGED) for each in shared.messages):
        return None
    if not action.is_day:
        return shared
    if shared.late:
        return None
    if any(each >= TAKEN for each in shared.messages):
        if not shared.faults[PAUSE]:
            return None
        shared = spent(shared, PAUSE)
    return shared._replace(lease=EXPIRED, builder_lease=EXPIRED)


def _leases(scenario: Scenario, shared: Shared) -> list[Step]:
    manifest, steps = shared.manifest, []
    if manifest.publisher and shared.lease != EXPIRED:
        is_live = TAKEN + manifest.publisher in shared.messages
        if is_live and shared.lease == VALID:
            if shared.faults[PAUSE]:
                after = spent(shared, PAUSE)._replace(lease=MARGIN)
                steps.append(Step("the publisher pauses until its margin", after, IDLE))
        elif not scenario.keeps("margin") or all(each.owner != manifest.publisher for each in shared.late):
            steps.append(Step("the publisher's lease ends", shared._replace(lease=EXPIRED), IDLE))
    if manifest.builder and shared.builder_lease != EXPIRED:
        after = shared._replace(builder_lease=EXPIRED)
        if TAKEN + manifest.builder not in shared.messages:
            steps.append(Step("the builder's lease ends", after, IDLE))
        elif shared.faults[PAUSE]:
            steps.append(Step("the builder pauses", spent(after, PAUSE), IDLE))
    return steps


def _arrivals(scenario: Scenario, shared: Shared) -> list[Step]:
    steps = []
    for each in shared.late:
        without = shared._replace(late=tuple(other for other in shared.late if other != each))
        what = each.name or "the manifest"
        steps.append(Step(f"a late request of {each.owner} for {what} is lost", tidy(without), IDLE))
        steps += _arrival(scenario, shared, without, each)
    return steps


def _arrival(scenario: Scenario, shared: Shared, without: Shared, late: Late) -> list[Step]:
    """A late request takes effect, if what it is conditional on still holds."""
    if isinstance(late.content, Replacement):
        done = with_manifest(scenario, without, late.content, late.owner)
        label = f"a late replacement of the manifest by {late.owner} takes effect"
        return [Step(label, done, IDLE, notice_of(scenario, late.content))]
    rule = "robots.txt If-Match" if late.name == ROBOTS else "If-Match"
    if dict(shared.files).get(late.name) != late.expected and scenario.keeps(rule):
        return []
    assert isinstance(late.content, tuple)
    content, stamp = late.content
    verb = "deletes" if content is None else "writes"
    after = tidy(with_file(without, late.name, content, stamp))
    return [Step(f"a late request of {late.owner} {verb} {late.name}", after, IDLE)]
