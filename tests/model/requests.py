"""Single requests of a writer, each with what may become of it: answered, refused, unanswered, or late."""

from state import (
    AS_PUBLISH,
    EXPIRED,
    IDLE,
    LATE,
    NOBODY,
    TAKEN,
    UNANSWERED,
    VALID,
    VISIBLE,
    ACKNOWLEDGED,
    Late,
    Manifest,
    Notice,
    Scenario,
    Shared,
    Step,
    Write,
    Writer,
)
from waves import writes
from documents import DELETED, FOREIGN, ROBOTS, Robots, Content, written

NO_NAMES: frozenset[str] = frozenset()


def spent(faults: tuple[int, int, int, int], kind: int) -> tuple[int, int, int, int]:
    """The faults that are left after one of this kind."""
    left = list(faults)
    left[kind] -= 1
    return (left[0], left[1], left[2], left[3])


def with_manifest(shared: Shared, after: Manifest, owner: int, *, takes: bool) -> Shared:
    """The state after a replacement; requests that would have replaced the same manifest can no longer succeed."""
    lease = VALID if takes else shared.lease
    builder_lease = VALID if after.builder == owner and owner else shared.builder_lease
    return shared._replace(
        manifest=after,
        lease=lease if after.publisher else EXPIRED,
        builder_lease=builder_lease if after.builder else EXPIRED,
        late=tuple(each for each in shared.late if each.name),
    )


def replace_manifest(
    shared: Shared, writer: Writer, after: Manifest, added: frozenset[str], label: str, then: Writer,
    unanswered: Writer, *, takes: bool = False, confirms_settings: bool = False,
) -> list[Step]:
    """Replace the manifest, which is still `writer.view`; `unanswered` goes on if there is no answer."""
    if takes:
        after = after._replace(publisher=writer.owner)
    news = Notice(added, confirms_settings or shared.manifest.config != after.config)
    done = with_manifest(shared, after._replace(last=NOBODY), writer.owner, takes=takes)
    steps = [Step(label, done, then._replace(view=after._replace(last=NOBODY) if then.view else None), news)]
    if shared.faults[UNANSWERED]:
        left = shared._replace(faults=spent(shared.faults, UNANSWERED))
        applied = with_manifest(left, after._replace(last=writer.owner), writer.owner, takes=takes)
        steps.append(Step(f"{label} (done, no answer)", applied, unanswered, news))
        steps.append(Step(f"{label} (not done, no answer)", left, unanswered))
    if shared.faults[LATE]:
        content = (after._replace(last=writer.owner), added, takes)
        late = (*shared.late, Late(writer.owner, writer.message, "", None, content))
        left = shared._replace(faults=spent(shared.faults, LATE), late=late)
        steps.append(Step(f"{label} (under way, no answer)", left, unanswered))
    return steps


def may_write(scenario: Scenario, shared: Shared, writer: Writer) -> bool:
    """Whether the clock is before the end of the writer's lease, less the margin."""
    if not scenario.keeps("clock"):
        return True
    if shared.manifest.publisher != writer.owner:
        return writer.unsure  # its clock knows nothing of a replacement that took effect without an answer
    return shared.lease == VALID


def head(shared: Shared, name: str) -> Content | None:
    """What a writer sees of a published file."""
    found = dict(shared.files).get(name)
    return None if found == DELETED else found


def put(scenario: Scenario, shared: Shared, writer: Writer, write: Write) -> list[Step]:
    """Write one file if it is still what was seen of it; else look at it again."""
    label = f"{writer.owner} writes {write.name} {write.wave}"
    present = head(shared, write.name)
    if present != write.expected and scenario.keeps("If-Match"):
        return [Step(f"{label} (412)", shared, seen_again(scenario, writer, write, present))]
    done = writer._replace(
        plan=tuple(each for each in writer.plan if each != write),
        wrote=writer.wrote | {write.name},
        finished=_finished(writer, write),
    )
    files = written(shared.files, write.name, write.content)
    steps = [Step(label, shared._replace(files=files), done)]
    unsure = writer._replace(at="unsure", wrote=writer.wrote | {write.name}, names=frozenset({write.name}))
    if shared.faults[UNANSWERED]:
        left = shared._replace(faults=spent(shared.faults, UNANSWERED))
        steps.append(Step(f"{label} (done, no answer)", left._replace(files=files), unsure))
        steps.append(Step(f"{label} (not done, no answer)", left, unsure))
    if shared.faults[LATE]:
        late = (*shared.late, Late(writer.owner, writer.message, write.name, write.expected, write.content))
        left = shared._replace(faults=spent(shared.faults, LATE), late=late)
        steps.append(Step(f"{label} (under way, no answer)", left, unsure))
    return steps


def _finished(writer: Writer, write: Write) -> frozenset[str]:
    """The names that are finished once a planned file is written."""
    is_last = sum(each.name == write.name for each in writer.plan) == 1
    return writer.finished | (writer.countable & {write.name} if is_last else NO_NAMES)


def seen_again(scenario: Scenario, writer: Writer, write: Write, present: Content | None) -> Writer:
    """The writer after it has looked at a file that is not what it expected."""
    content = next(each.content for each in reversed(writer.plan) if each.name == write.name)
    if write.name == ROBOTS and isinstance(content, Robots):
        content = Robots(present.rules if isinstance(present, Robots) else 0, content.roots)
    others = tuple(each for each in writer.plan if each.name != write.name)
    writer = writer._replace(at="write", names=NO_NAMES)
    if present == content:
        finished = writer.finished | (writer.countable & {write.name})
        return writer._replace(plan=others, finished=finished)
    if scenario.keeps("union"):
        again = writes(scenario, write.name, content, present, is_known=False, receives=False)
    else:
        again = [write._replace(content=content, expected=present)]
    return writer._replace(plan=tuple(sorted((*others, *again), key=_order)))


def _order(write: Write) -> tuple[tuple[int, ...], str]:
    return write.wave, write.name


def delete(shared: Shared, writer: Writer, write: Write) -> list[Step]:
    """Delete a file that is no longer named, if it is ours."""
    left = writer._replace(plan=tuple(each for each in writer.plan if each != write))
    if dict(shared.files).get(write.name) == FOREIGN:
        return [Step(f"{writer.owner} leaves the foreign {write.name}", shared, left)]
    files = written(shared.files, write.name, None)
    return [Step(f"{writer.owner} deletes {write.name}", shared._replace(files=files), left)]


def with_message(shared: Shared, message: int, state: int) -> Shared:
    """The state after a message has changed its own."""
    messages = shared.messages
    return shared._replace(messages=(*messages[:message], state, *messages[message + 1 :]))


def acknowledge(shared: Shared, writer: Writer) -> list[Step]:
    """End, and delete the message."""
    return [Step(f"{writer.owner} acknowledges", with_message(shared, writer.message, ACKNOWLEDGED), IDLE)]


def fail(shared: Shared, writer: Writer, reason: str = "fails its message") -> list[Step]:
    """End, and leave the message to be delivered again; that of a schedule comes as `publish`."""
    state = AS_PUBLISH if writer.kind == "publish" else VISIBLE
    return [Step(f"{writer.owner} {reason}", with_message(shared, writer.message, state), IDLE)]


def take(scenario: Scenario, shared: Shared, slot: int, message: int) -> Step:
    """A new process begins with a message and the present settings, under an id that occurs nowhere."""
    manifest = shared.manifest
    used = {manifest.publisher, manifest.builder, manifest.last, *(each.owner for each in shared.late)}
    owner = next(n for n in range(slot * 4 + 1, slot * 4 + 5) if n not in used)
    if not scenario.keeps("owner"):
        owner = slot * 4 + 1
    state = shared.messages[message]
    kind = "publish" if state == AS_PUBLISH else scenario.messages[message].kind
    writer = Writer("read", message, kind, owner, shared.config)
    return Step(f"{owner} takes message {message} ({kind})", with_message(shared, message, TAKEN + owner), writer)
