"""Single requests of a writer, each with what may become of it: answered, refused, unanswered, or late."""

from model.documents import FOREIGN, ROBOTS, Content, Robots, written
from model.state import (
    ACKNOWLEDGED,
    EXPIRED,
    FIRST_RUN,
    IDLE,
    LATE,
    NO_NAMES,
    NOBODY,
    TAKEN,
    UNANSWERED,
    VALID,
    VISIBLE,
    Late,
    Notice,
    Replacement,
    Scenario,
    Shared,
    Step,
    Write,
    Writer,
)
from model.waves import found_writes, is_blocked, seen


def spent(shared: Shared, kind: int) -> Shared:
    """The state with one fault of a kind less."""
    left = list(shared.faults)
    left[kind] -= 1
    return shared._replace(faults=(left[0], left[1], left[2], left[3]))


def tidy(shared: Shared) -> Shared:
    """The state without what nobody can refer to any more: times of processes that ended, and unnamed records."""
    owners = {0, *(state - TAKEN for state in shared.messages if state > TAKEN), *(each.owner for each in shared.late)}
    order = tuple(each for each in shared.order if each in owners)
    records = shared.records
    named = {shared.manifest.record, *(_record(each) for each in shared.late)}
    present = frozenset(each for each in records.present if each in named or (each and each // 4 in owners))
    return shared._replace(order=order, records=records._replace(present=present, noted=records.noted & present))


def _record(late: Late) -> int:
    return late.content.after.record if isinstance(late.content, Replacement) else -1


def with_manifest(scenario: Scenario, shared: Shared, what: Replacement, owner: int) -> Shared:
    """The state after a replacement; requests that would have replaced the same manifest can no longer succeed."""
    after = what.after
    lease = VALID if what.takes else shared.lease
    builder_lease = VALID if after.builder == owner and owner else shared.builder_lease
    order = _confirmed(scenario, shared.order, owner) if what.confirms else shared.order
    return tidy(
        shared._replace(
            manifest=after,
            lease=lease if after.publisher else EXPIRED,
            builder_lease=builder_lease if after.builder else EXPIRED,
            late=tuple(each for each in shared.late if each.name),
            order=order,
        )
    )


def _confirmed(scenario: Scenario, order: tuple[int, ...], owner: int) -> tuple[int, ...]:
    """The order with `config_since` when a process read its settings."""
    others = tuple(each for each in order if each != 0)
    if not scenario.keeps("config_since of reading"):
        return (*others, 0)
    if owner not in order or (order.index(0) > order.index(owner) and scenario.keeps("config_since grows")):
        return order
    at = others.index(owner) + 1
    return (*others[:at], 0, *others[at:])


def replace_manifest(
    scenario: Scenario, shared: Shared, writer: Writer, what: Replacement, label: str, then: Writer, unanswered: Writer
) -> list[Step]:
    """Replace the manifest, which is still `writer.view`; `unanswered` goes on if there is no answer."""
    if what.takes:
        what = what._replace(after=what.after._replace(publisher=writer.owner))
    what = what._replace(after=what.after._replace(last=NOBODY))
    news = Notice(what.added)
    done = with_manifest(scenario, shared, what, writer.owner)
    steps = [Step(label, done, then._replace(view=what.after if then.view else None), news)]
    unknown = what._replace(after=what.after._replace(last=writer.owner))
    unanswered = unanswered._replace(unsure=True)
    if shared.faults[UNANSWERED]:
        left = spent(shared, UNANSWERED)
        applied = with_manifest(scenario, left, unknown, writer.owner)
        steps.append(Step(f"{label} (done, no answer)", applied, unanswered, news))
        steps.append(Step(f"{label} (not done, no answer)", left, unanswered))
    if shared.faults[LATE]:
        late = (*shared.late, Late(writer.owner, writer.message, "", None, unknown))
        steps.append(Step(f"{label} (under way, no answer)", spent(shared, LATE)._replace(late=late), unanswered))
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
    return seen(dict(shared.files).get(name))


def with_file(shared: Shared, name: str, content: Content | None, stamp: int) -> Shared:
    """The state after a file was written, with settings in its metadata, or deleted."""
    stamps = {each: old for each, old in shared.stamps if each != name}
    if content is not None and stamp:
        stamps[name] = stamp
    return shared._replace(files=written(shared.files, name, content), stamps=tuple(sorted(stamps.items())))


def stamp_of(config: int, rules: int) -> int:
    """The settings and rules that a file's metadata names, as a number."""
    return 10 * config + rules


def put(scenario: Scenario, shared: Shared, writer: Writer, write: Write, unsure: Writer) -> list[Step]:
    """Write one file if it is still what was seen of it; else look at it again."""
    label = f"{writer.owner} writes {write.name} {write.wave}"
    present = head(shared, write.name)
    rule = "robots.txt If-Match" if write.name == ROBOTS else "If-Match"
    if present != write.expected and scenario.keeps(rule):
        return [Step(f"{label} (412)", shared, seen_again(scenario, shared, writer, write.name))]
    done = writer._replace(
        plan=tuple(each for each in writer.plan if each != write),
        wrote=writer.wrote | {write.name},
        finished=_finished(writer, write),
    )
    stamp = stamp_of(writer.config, writer.rules)
    applied = with_file(shared, write.name, write.content, stamp)
    steps = [Step(label, applied, done)]
    late = Late(writer.owner, writer.message, write.name, write.expected, (write.content, stamp))
    unsure = unsure._replace(wrote=done.wrote)
    return steps + _without_answer(shared, applied, late, label, unsure)


def _without_answer(shared: Shared, applied: Shared, late: Late, label: str, unsure: Writer) -> list[Step]:
    steps = []
    if shared.faults[UNANSWERED]:
        steps.append(Step(f"{label} (done, no answer)", spent(applied, UNANSWERED), unsure))
        steps.append(Step(f"{label} (not done, no answer)", spent(shared, UNANSWERED), unsure))
    if shared.faults[LATE]:
        left = spent(shared, LATE)._replace(late=(*shared.late, late))
        steps.append(Step(f"{label} (under way, no answer)", left, unsure))
    return steps


def _finished(writer: Writer, write: Write) -> frozenset[str]:
    """The names that are finished once a planned file is written."""
    is_last = sum(each.name == write.name for each in writer.plan) == 1
    return writer.finished | (writer.countable & {write.name} if is_last else NO_NAMES)


def seen_again(scenario: Scenario, shared: Shared, writer: Writer, name: str) -> Writer:
    """The writer after it has looked again at a file that it plans to write."""
    present = head(shared, name)
    content = next(each.content for each in reversed(writer.plan) if each.name == name)
    if name == ROBOTS and isinstance(content, Robots):
        content = Robots(present.rules if isinstance(present, Robots) else 0, content.roots)
    others = tuple(each for each in writer.plan if each.name != name)
    if present == content or (is_blocked(name, present) and scenario.keeps("blocked")):
        return writer._replace(plan=others, finished=writer.finished | (writer.countable & {name}))
    again = found_writes(scenario, name, content, present, is_outdated=False)
    return writer._replace(plan=tuple(sorted((*others, *again), key=lambda each: (each.wave, each.name))))


def delete(shared: Shared, writer: Writer, write: Write, unsure: Writer) -> list[Step]:
    """Delete a file that is no longer named, if it is ours (HEAD, then a DELETE with If-Match)."""
    left = writer._replace(plan=tuple(each for each in writer.plan if each != write))
    present = dict(shared.files).get(write.name)
    if present in (None, FOREIGN):
        return [Step(f"{writer.owner} leaves {write.name}", shared, left)]
    label = f"{writer.owner} deletes {write.name}"
    applied = with_file(shared, write.name, None, 0)
    late = Late(writer.owner, writer.message, write.name, seen(present), (None, 0))
    return [Step(label, applied, left), *_without_answer(shared, applied, late, label, unsure)]


def with_message(shared: Shared, message: int, state: int) -> Shared:
    """The state after a message has changed its own."""
    messages = shared.messages
    return tidy(shared._replace(messages=(*messages[:message], state, *messages[message + 1 :])))


def acknowledge(shared: Shared, writer: Writer) -> list[Step]:
    """End, and delete the message."""
    return [Step(f"{writer.owner} acknowledges", with_message(shared, writer.message, ACKNOWLEDGED), IDLE)]


def fail(shared: Shared, writer: Writer, reason: str = "fails its message") -> list[Step]:
    """End, and leave the message to be delivered again."""
    return [Step(f"{writer.owner} {reason}", with_message(shared, writer.message, VISIBLE), IDLE)]


def take(scenario: Scenario, shared: Shared, slot: int, message: int) -> Step:
    """A new process begins with a message and the present settings, under an id that occurs nowhere."""
    manifest, kind = shared.manifest, scenario.messages[message].kind
    used = {manifest.publisher, manifest.builder, manifest.last, *(each.owner for each in shared.late)}
    used |= {each // 4 for each in (manifest.record, *shared.records.present)}
    first = slot * 6 + 1 + (FIRST_RUN if kind == "run" else 0)
    owner = next(n for n in range(first, first + 6) if n not in used)
    if not scenario.keeps("owner ids"):
        owner = first
    order = (*shared.order, owner) if scenario.has_settings else shared.order
    taken = with_message(shared._replace(order=order), message, TAKEN + owner)
    writer = Writer("read", message, kind, owner, shared.config)
    return Step(f"{owner} takes message {message} ({kind})", taken, writer)
