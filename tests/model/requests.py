"""Single requests of a writer, each with what may become of it: answered, refused, unanswered, or late."""

from itertools import count

from model.documents import FOREIGN, ROBOTS, Content, Files, Robots, announced_names, written
from model.phases import is_blocked, seen
from model.state import (
    ACKNOWLEDGED,
    EXPIRED,
    FIRST_RUN,
    IDLE,
    LATE,
    NO_DAYS,
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


def spent(shared: Shared, kind: int) -> Shared:
    """The state with one fault of a kind less."""
    left = list(shared.faults)
    left[kind] -= 1
    return shared._replace(faults=(left[0], left[1], left[2], left[3], left[4]))


def tidy(shared: Shared) -> Shared:
    """The state without what nobody can refer to any more: times of processes that ended, and unnamed records."""
    owners = {0, *(state - TAKEN for state in shared.messages if state > TAKEN), *(each.owner for each in shared.late)}
    order = tuple(each for each in shared.order if each in owners)
    records = shared.records
    named = {shared.manifest.record, *(_record(each) for each in shared.late)}
    present = dict(each for each in records.present if each[0] in named or (each[0] and each[0] // 4 in owners))
    records = records._replace(present=tuple(present.items()), noted=records.noted.intersection(present))
    return shared._replace(order=order, records=records)


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


def notice_of(scenario: Scenario, what: Replacement) -> Notice:
    """What a replacement means for other processes."""
    return Notice(what.added if scenario.keeps("own names only") else NO_NAMES)


def replace_manifest(
    scenario: Scenario, shared: Shared, writer: Writer, what: Replacement, label: str, then: Writer, unanswered: Writer
) -> list[Step]:
    """Replace the manifest, which is still `writer.view`; `unanswered` goes on if there is no answer."""
    if what.takes:
        what = what._replace(after=what.after._replace(publisher=writer.owner))
    what = what._replace(after=what.after._replace(last=NOBODY))
    news = notice_of(scenario, what)
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
    files = written(shared.files, name, content)
    former = shared.former if shared.day == NO_DAYS else _former(shared, files)
    return shared._replace(files=files, stamps=tuple(sorted(stamps.items())), former=former)


def _former(shared: Shared, files: Files) -> tuple[tuple[str, int], ...]:
    """The current files that crawlers have found until a day, and that day."""
    named = announced_names(files)
    former = dict.fromkeys(announced_names(shared.files) - named, shared.day) | dict(shared.former)
    present = dict(files).keys() - named
    return tuple(sorted((name, day) for name, day in former.items() if name in present))


def stamp_of(config: int, rules: int) -> int:
    """The settings and rules that a file's metadata names, as a number."""
    return 10 * config + rules


def put(scenario: Scenario, shared: Shared, writer: Writer, write: Write, unsure: Writer) -> list[Step]:
    """Write one file if it is still what was seen of it; else look at it again."""
    label = f"{writer.owner} writes {write.name} {write.phase}"
    present = head(shared, write.name)
    rule = "robots.txt If-Match" if write.name == ROBOTS else "If-Match"
    if present != write.expected and scenario.keeps(rule):
        return [Step(f"{label} (412)", shared, seen_again(scenario, shared, writer, write.name))]
    done = _done(writer._replace(wrote=writer.wrote | {write.name}), write)
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


def _done(writer: Writer, write: Write) -> Writer:
    """The writer after one of its planned writes; after its last one a file is finished."""
    plan = tuple(each for each in writer.plan if each != write)
    is_last = all(each.name != write.name for each in plan)
    return writer._replace(
        plan=plan, finished=writer.finished | (writer.countable & {write.name} if is_last else NO_NAMES)
    )


def seen_again(scenario: Scenario, shared: Shared, writer: Writer, name: str) -> Writer:
    """The writer after it has looked again at a file that it plans to write; the file stays in its phase."""
    present = head(shared, name)
    first = next(each for each in writer.plan if each.name == name)
    content = first.content
    if isinstance(content, Robots):
        content = Robots(present.rules if isinstance(present, Robots) else 0, content.roots)
    if is_blocked(name, present) and scenario.keeps("blocked"):
        others = tuple(each for each in writer.plan if each.name != name)
        return writer._replace(plan=others, finished=writer.finished | (writer.countable & {name}))
    if present == content:
        return _done(writer, first)
    again = first._replace(content=content, expected=present)
    return writer._replace(plan=tuple(again if each is first else each for each in writer.plan))


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


def take(scenario: Scenario, shared: Shared, message: int) -> Step:
    """A new process begins with a message and the current settings, under an id that occurs nowhere."""
    kind = scenario.messages[message].kind
    owner = _new_owner(scenario, shared, message)
    order = (*shared.order, owner) if scenario.has_settings else shared.order
    taken = with_message(shared._replace(order=order), message, TAKEN + owner)
    writer = Writer("read", message, kind, owner, shared.config)
    return Step(f"{owner} takes message {message} ({kind})", taken, writer)


def _new_owner(scenario: Scenario, shared: Shared, message: int) -> int:
    """The first id of a message's processes that occurs nowhere: so ids say nothing of the order of processes."""
    manifest = shared.manifest
    if not scenario.keeps("owner ids"):
        live = {state - TAKEN for state in shared.messages}
        return next(n for n in count(1) if n not in live)
    used = {manifest.publisher, manifest.builder, manifest.last, *(each.owner for each in shared.late)}
    used |= {each // 4 for each in (manifest.record, *dict(shared.records.present))}
    first = message * 10 + 1 + (FIRST_RUN if scenario.messages[message].kind == "run" else 0)
    return next(n for n in count(first) if n not in used)
