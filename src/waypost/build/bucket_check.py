"""Compares a bucket, its state and the published files."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import UNSET, Struct, UnsetType, structs

from waypost.build import status
from waypost.build.answers import Problem, Problems, names, problem_lines, problems_of, row
from waypost.build.bucket_listing import Looked, list_objects, record_of
from waypost.build.bucket_site import BucketSite
from waypost.build.bucket_state import BucketState
from waypost.build.divided_bucket import DividedBucket
from waypost.build.object_looks import ObjectLooks, differing_keys
from waypost.build.publication import DELETED, REPLACED, wrong_files
from waypost.core.clock import ONE_ATTEMPT
from waypost.core.errors import StateError, WaypostError
from waypost.core.model import printable
from waypost.pages.url_shapes import form_change

_MAX_KEYS = 100
_MOST_READ = 100
"""So many objects with other ETags are read, to find out whether anything that matters has changed."""
_WRONG = {DELETED: "is missing", REPLACED: "was written by another writer", 0: "differs from what the state describes"}
_PENDING = "is not published yet"


class KeySample(Struct, frozen=True):
    """How many keys there are, and the first of them."""

    count: int
    first: Sequence[str]


class Drift(Struct, frozen=True):
    """The keys that differ between the bucket and its state."""

    new: KeySample
    changed: KeySample
    removed: KeySample


class CheckAnswer(Struct, frozen=True):
    """Whether bucket, state and published files agree.

    `files` has the published files that are wrong, each with what is wrong. `drift` and `files` are absent where there
    is nothing to compare with, or a problem prevents it. `linked_form` is present if the site's links use another form
    of URLs than the sitemaps, as examples of both; the next rebuild lists pages so.
    """

    in_sync: bool
    state: str
    drift: Drift | UnsetType = UNSET
    files: Mapping[str, str] | UnsetType = UNSET
    linked_form: str | UnsetType = UNSET
    problems: Sequence[Problem] = []


def check(bucket: DividedBucket) -> CheckAnswer:
    """Compare bucket, state and published files, as far as they can be read, and each part of a divided one as one.

    Before the first build is complete, there is nothing to compare with, and the answer has neither drift nor files.
    """
    answers = [_check_of_site(each) for each in bucket.sites(bucket.readable_division())]
    if len(answers) == 1:
        return answers[0]
    wrong = [each for each in answers if not each.in_sync]
    drifts = [each.drift for each in answers if not isinstance(each.drift, UnsetType)]
    files = [each.files for each in answers if not isinstance(each.files, UnsetType)]
    return structs.replace(
        (wrong or answers)[0],
        in_sync=not wrong,
        drift=_combined_drift(drifts) if drifts else UNSET,
        files={name: text for each in files for name, text in each.items()},
        problems=status.each_once(each.problems for each in answers),
    )


def _combined_drift(parts: Sequence[Drift]) -> Drift:
    def sample(name: str) -> KeySample:
        samples: list[KeySample] = [getattr(each, name) for each in parts]
        return KeySample(sum(each.count for each in samples), [key for each in samples for key in each.first])

    return Drift(sample("new"), sample("changed"), sample("removed"))


def _check_of_site(bucket: BucketSite) -> CheckAnswer:
    problems = Problems()
    text, head = status.read_state(bucket, problems)
    if head is None:
        return CheckAnswer(in_sync=False, state=text, problems=problems.found)
    if not head.built_at:
        problems.add(bucket.state.where, StateError("there is no complete state"), status.NO_STATE)
        state = f"nothing to compare with: {text}"
        return CheckAnswer(in_sync=False, state=state, problems=problems.found)
    stored = problems.attempt(bucket.state.where, bucket.state.read) or BucketState()
    drift = problems.attempt(bucket.site_uri, lambda: _drift(bucket, stored))
    files = problems.attempt("the published files", lambda: _wrong_files(bucket, stored))
    form = problems.attempt(bucket.site_uri, lambda: _linked_form(bucket, stored))
    has_drift = drift is None or any(sample.count for sample in (drift.new, drift.changed, drift.removed))
    return CheckAnswer(
        in_sync=text == status.UP_TO_DATE and not (has_drift or files or problems.found),
        state=text,
        drift=UNSET if drift is None else drift,
        files=UNSET if files is None else dict(list(files.items())[:_MAX_KEYS]),
        linked_form=form or UNSET,
        problems=problems.found,
    )


def check_without_settings(error: WaypostError) -> CheckAnswer:
    """The check of a site whose settings cannot be used."""
    return CheckAnswer(in_sync=False, state=status.UNUSABLE_SETTINGS, problems=problems_of("settings", error))


def _drift(bucket: BucketSite, stored: BucketState) -> Drift:
    """The keys that are new, changed or removed; of those whose objects have other ETags, the first ones are read."""
    listed, known = bucket.listed()[0], {each.key: each for each in stored.memory.objects}
    items = {item.key for item in listed}
    keys = differing_keys(stored, listed, bucket.read_as)
    changed = [key for key in keys if key in items and key in known]
    seen, _ = ObjectLooks(bucket, ONE_ATTEMPT).look(changed[:_MOST_READ], stored)
    same = {
        key
        for key, snapshot in seen.items()
        if snapshot and record_of(key, snapshot, known[key]).facts == known[key].facts
    }
    new, removed = (key for key in keys if key not in known), (key for key in keys if key not in items)
    return Drift(_sample(new), _sample(key for key in changed if key not in same), _sample(removed))


def _wrong_files(bucket: BucketSite, stored: BucketState) -> dict[str, str]:
    """The published files that are wrong, each with what is wrong."""
    head = stored.head
    found = dict.fromkeys(head.pending, _PENDING)
    names = [each.name for each in head.files]
    if not head.pending:
        found |= {name: _WRONG[what] for name, what in wrong_files(bucket, head, names).items()}
    return dict(sorted(found.items()))


def _linked_form(bucket: BucketSite, stored: BucketState) -> str:
    """How the form of the links differs from that of the sitemaps; `""` if it does not."""
    before = stored.memory.votes
    changed = structs.replace(stored, head=structs.replace(stored.head, has_changed=True))
    now = list_objects(bucket, changed, Looked(is_rebuild=True)).listing.votes
    return form_change(before.links.form(), now.links.form()) if before else ""


def _sample(keys: Iterable[str]) -> KeySample:
    found = sorted(keys)
    return KeySample(len(found), tuple(map(printable, found[:_MAX_KEYS])))


def check_lines(answer: CheckAnswer) -> Iterator[str]:
    """Whether bucket, state and published files agree, and what differs."""
    yield row("in sync", "yes" if answer.in_sync else "no")
    yield row("state", answer.state)
    if not isinstance(answer.drift, UnsetType):
        drift = {"new": answer.drift.new, "changed": answer.drift.changed, "removed": answer.drift.removed}
        for kind, sample in drift.items():
            yield row(kind, f"{sample.count:,}" + (f" ({names(sample.first)})" if sample.first else ""))
    for name, problem in () if isinstance(answer.files, UnsetType) else answer.files.items():
        yield row("file", f"{name} {problem}")
    yield from problem_lines(answer.problems)
