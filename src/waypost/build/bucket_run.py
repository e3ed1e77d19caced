"""One run over a bucket: looks at objects, decides as for a folder, replaces the state, and publishes.

An event only says which keys to look at, and a listing only which keys differ from the state. Whatever a run has looked
at counts from the state on that it replaces: of two runs with the same state the later one begins again with the new
state, and asks each of its objects again.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace as replace_field
from typing import Any, NamedTuple

from msgspec.structs import replace

from waypost.build import bucket_state, last_good_lists
from waypost.build.adoption import PublishedBefore, adopting, damage_of, what_is_published
from waypost.build.bucket_decision import Decided, decide, guard, warnings_about
from waypost.build.bucket_listing import Looked, merged
from waypost.build.bucket_site import BucketResult, BucketSite
from waypost.build.bucket_state import ROBOTS, BucketState, Build
from waypost.build.last_good_lists import UrlList
from waypost.build.object_looks import ObjectLooks, differing_keys, unreported
from waypost.build.publication import (
    Publisher,
    SupersededError,
    is_written,
    names_may_move,
    robots_of,
    with_published,
    with_repaired,
    wrong_files,
)
from waypost.build.subscribers import Waiting, notify_all, with_result, without_told
from waypost.core import reasons
from waypost.core.clock import NO_DEADLINE, Retry, w3c_now
from waypost.core.errors import (
    ConflictError,
    OtherRunError,
    OutdatedSettingsError,
    RebuildNeededError,
    RemovalError,
    WaypostError,
)
from waypost.core.finding_types import site_warning
from waypost.core.model import Example, NamedSource, SiteWarning, printable
from waypost.notify import PublishResult
from waypost.pages.facts import RULES_VERSION

_Look = Callable[[BucketState], Looked]
"""Looks at what a run is about, given the present state."""
NO_ETAGS: Mapping[str, str] = {}
_NO_TIME = "the deadline was reached before it was read"
LONGEST_PART = 1_200.0
"""A part of a build that began so many seconds ago was killed: a call of Lambda takes 900 at most."""
_LONGEST_PAUSE = 900.0
"""Seconds by which SQS can delay the message that has subscribers told once more."""
_MOST_RUNS, _MOST_TELLINGS, _PAUSE = 8, 8, 0.5
"""How often a run begins again, or notes what it told, while others are first; the seconds of the first pause."""


class RebuildOptions(NamedTuple):
    """How a rebuild is done; `max_removed` is by default the setting of that name.

    With a `lag`, it counts the objects of which an event should have come so many seconds ago. A `part` is that of a
    build that goes on. `adopted` is what another state remembers.
    """

    max_removed: int | None = None
    lag: float | None = None
    part: str = ""
    adopted: BucketState | None = None


BY_SETTINGS = RebuildOptions()


def update(
    bucket: BucketSite, keys: Collection[str], retry: Retry = NO_DEADLINE, etags: Mapping[str, str] = NO_ETAGS
) -> BucketResult:
    """Bring the sitemaps up to date for the keys of objects, and of published files, which are restored.

    `etags` has the ETags that events give of published files: one that was written as the state has it needs no look.
    Raises RebuildNeededError without a complete state of these settings; RemovalError, SourceError, StoreError,
    RenderError, StateError; ConflictError if other runs are always first.
    """
    reason_of = {key: bucket.exclusion_reason(key) for key in keys}
    pages = [key for key, reason in reason_of.items() if reason is None]
    outputs = {key for key, reason in reason_of.items() if reason == reasons.OUTPUT or key == ROBOTS}
    run = _Run(bucket, retry, bucket.site.max_removed)
    if not pages and ROBOTS not in outputs and run.are_right(outputs, etags):
        return BucketResult()
    return run.update(pages, outputs)


def publish(bucket: BucketSite) -> BucketResult:
    """Publish what earlier runs have left, and tell subscribers what they wait for; raises as `update`."""
    return _Run(bucket, NO_DEADLINE, bucket.site.max_removed).update((), ())


def rebuild(bucket: BucketSite, retry: Retry = NO_DEADLINE, options: RebuildOptions = BY_SETTINGS) -> BucketResult:
    """Bring the sitemaps up to date by a listing of the bucket; raises as `update`, but never RebuildNeededError.

    What cannot be read until the deadline of `retry` is left to the next part of this build: the result is unfinished,
    and its head says which `part` that is. A part that is not the next one does nothing, nor does a build that was not
    asked to go on while another one is under way.
    """
    limit = bucket.site.max_removed if options.max_removed is None else options.max_removed
    try:
        return _Run(bucket, retry, limit).rebuild(options)
    except RemovalError:
        with suppress(WaypostError):  # what updates have left does not wait until the removal is accepted
            publish(bucket)
        raise


class _Run:
    """One run; what it has read of objects stays with it when it begins again."""

    def __init__(self, bucket: BucketSite, retry: Retry, max_removed: int) -> None:
        self._bucket, self._max_removed = bucket, max_removed
        self._objects = ObjectLooks(bucket, retry)
        self._done, self._least_number, self._is_rebuild = BucketResult(), 0, False
        self._stored, self._sources, self._damage = BucketState(), list[NamedSource](), ""
        self._adopted: BucketState | None = None
        self._lists_nothing = False

    def are_right(self, names: Collection[str], etags: Mapping[str, str]) -> bool:
        """Whether these published files are as the state wants them, so that their events change nothing."""
        if not names:
            return True
        head = self._bucket.state.usable_head()
        if head is None or not head.built_at or head.pending.intersection(names):
            return False
        files = head.by_name
        return not wrong_files(self._bucket, head, [each for each in names if not is_written(files.get(each), etags)])

    def update(self, keys: Collection[str], suspects: Collection[str]) -> BucketResult:
        """Look at the objects with these keys, and publish what follows; `suspects` are files that may be wrong."""

        def look(stored: BucketState) -> Looked:
            self._require_complete(stored)
            rules = self._bucket.robots_rules() if ROBOTS in suspects else None
            seen, failed = self._objects.look(keys, stored)
            unread = [key for key in keys if key not in seen and key not in failed]
            known = {each.key for each in stored.memory.objects}
            not_found = tuple(key for key, snapshot in seen.items() if snapshot is None and key not in known)
            self._done = replace(self._done, failed={**failed, **dict.fromkeys(unread, _NO_TIME)}, not_found=not_found)
            return Looked(seen, failed, rules)

        self._follow(look, suspects)
        self._tell()
        return self._result()

    def rebuild(self, options: RebuildOptions) -> BucketResult:
        """List the bucket, and look at all that differs from the state.

        The listing only says which keys differ: these are looked at under the state that is there by then.
        """
        self._is_rebuild, self._adopted, began = True, options.adopted, self._bucket.clock.time()
        stored = self._begun(self._read(), options.part)
        try:
            self._rebuild(stored, began, options.lag)
        except WaypostError:
            self._end_build(stored)
            raise
        return self._result()

    def _result(self) -> BucketResult:
        return replace(self._done, head=self._stored.head)

    def _begun(self, stored: BucketState, part: str) -> BucketState:
        """The state that says that this part of a build is under way, if it is one.

        Raises OtherRunError if another part is. One that was killed counts as ended after a while.
        """
        head, now = stored.head, self._bucket.clock.time()
        build = head.build
        if build and build.part != part and now - build.began < LONGEST_PART:
            raise OtherRunError("another call builds the state", build.began + LONGEST_PART - now)
        if stored.damage or (head.built_at and head.made_with == self._bucket.made_with):
            return stored
        begun = replace(head, build=Build(self._bucket.state.new_id(), now))
        try:
            is_new = self._adopted is not None or stored.etag is None
            body = bucket_state.dump_memory(stored.memory) if is_new else stored.body
            found = self._bucket.state.replace(stored, begun, body)
        except ConflictError as error:
            raise OtherRunError("another call builds the state", LONGEST_PART) from error
        return replace(found, memory=stored.memory)

    def _end_build(self, begun: BucketState) -> None:
        """Say that a build has failed, so that the next one need not wait for it."""
        if begun.head.build is None:
            return
        with suppress(WaypostError):
            stored = self._bucket.state.read()
            if stored.head.build == begun.head.build:
                self._bucket.state.replace(stored, replace(stored.head, build=None), stored.body)

    def _rebuild(self, stored: BucketState, began: float, lag: float | None) -> None:
        self._sources = list(self._bucket.named_sources())
        items, ignored = self._bucket.listed()
        keys = differing_keys(stored, items, self._bucket.read_as)
        self._objects.look(keys, stored)
        if stored.memory.rules_version > RULES_VERSION:
            found = f"it has rules {stored.memory.rules_version}, this release {RULES_VERSION}"
            self._warn("newer-release", [Example("state", found)])
        is_known = bool(stored.head.built_at) and not stored.damage
        drift = unreported(stored, items, began - lag) if lag is not None and is_known else 0
        self._done = replace(
            self._done, objects_listed=len(items) + sum(ignored.values()), ignored=ignored, drift=drift
        )

        def look(stored: BucketState) -> Looked:
            seen, failed = self._objects.look(keys, stored)
            is_whole = len(seen) + len(failed) == len(keys)
            self._done = replace(self._done, failed=failed)
            published = PublishedBefore() if stored.head.files else what_is_published(self._bucket)
            self._least_number = max(self._least_number, published.number + 1)
            urls, warnings = self._named(stored)
            rules = self._bucket.robots_rules()
            damage = damage_of(stored, published, self._bucket.state.where) or stored.head.needs_rebuild
            roots = self._bucket.other_roots()
            return Looked(
                seen,
                failed,
                rules,
                is_rebuild=True,
                is_whole=is_whole,
                began=began,
                published=published,
                named=urls,
                warnings=warnings,
                other_roots=roots,
                damage=damage,
            )

        self._follow(look, ())
        if not self._done.is_unfinished:
            self._delete(began)
            self._tell()
            self._bucket.state.keep_copy(self._stored, w3c_now(self._bucket.clock)[:10])

    def _read(self) -> BucketState:
        """The state, with what an adopted one remembers.

        Raises OutdatedSettingsError if newer settings made it.
        """
        bucket = self._bucket
        if self._adopted:
            stored = adopting(replace_field(bucket.state, site_uri="").read(), self._adopted, bucket.site_uri)
        else:
            stored = bucket.state.read()
        head = stored.head
        if head.made_with not in ("", bucket.made_with) and bucket.settings_since < head.settings_since:
            raise OutdatedSettingsError(f"{bucket.state.where} was made with settings that are newer than this run's")
        return stored

    def _named(self, stored: BucketState) -> tuple[UrlList, Sequence[SiteWarning]]:
        """What the settings name besides the objects; a list that cannot be read keeps its last answer.

        Raises RemovalError if one names too few of the URLs that it named last.
        """
        before = last_good_lists.below(stored.memory.named, self._bucket.site.base_url)
        found, warnings = last_good_lists.merged(before, self._sources, is_lost=bool(stored.damage))
        last_good_lists.check_removals(before, found, self._max_removed)
        return found, warnings

    def _delete(self, before: float) -> None:
        """Delete the files that no index has named since `before`, after saying so in the state.

        A run that is to publish one of them again waits then. If another run is first, the next rebuild deletes them.
        """
        head, now = self._stored.head, self._bucket.clock.time()
        due = {each.name for each in head.leaving if each.since and each.since < before}
        if not due:
            return
        announced = tuple(replace(each, deleted_from=now if each.name in due else 0.0) for each in head.leaving)
        try:
            stored = self._bucket.state.replace(self._stored, replace(head, leaving=announced), self._stored.body)
            publisher = Publisher(self._bucket, stored.head)
            gone = publisher.delete(due)
            self._note(publisher)
            left = tuple(each for each in stored.head.leaving if each.name not in gone)
            waiting = self._with_result(stored.head.waiting, removed=tuple(sorted(gone)))
            after = replace(stored.head, leaving=left, waiting=waiting)
            self._stored = self._bucket.state.replace(stored, after, stored.body)
        except ConflictError:
            return
        self._done = replace(self._done, removed=tuple(sorted(gone)))

    def _follow(self, look: _Look, suspects: Collection[str]) -> None:
        """Look, decide, replace the state and publish, until no other run was first."""
        for attempt in range(_MOST_RUNS):
            stored = self._read()
            if stored.head.needs_rebuild and not self._is_rebuild:
                raise RebuildNeededError(stored.head.needs_rebuild)
            if look is _nothing and stored.head.made_with != self._bucket.made_with:
                return  # a run with other settings publishes all files anew
            looked = look(stored)
            self._done = replace(self._done, objects_read=self._objects.count)
            try:
                if not looked.is_whole:
                    self._left_to_next(stored, looked)
                    return
                committed, decided, may_move = self._committed(stored, looked, suspects)
            except ConflictError:
                self._pause(attempt)
                continue
            self._stored = committed
            if not (committed.head.pending and decided.plan.documents):
                return
            # What was looked at counts from here on. Of other runs' states only the files that this one wrote matter.
            look, suspects = _nothing, self._published(committed, decided, may_move=may_move)
            if not suspects:
                return
        raise ConflictError(f"other runs were first {_MOST_RUNS} times; run this again")

    def _tell(self) -> None:
        """Tell subscribers what they wait for, once nothing is pending; what they were told no longer waits."""
        stored, waiting = self._stored, self._stored.head.waiting
        if not waiting or stored.head.pending or self._lists_nothing:
            return  # what is published still lists the last pages
        notifications = notify_all(waiting, self._bucket.subscribers)
        # The longer something waits, the longer the pauses: half of its age, up to a quarter of an hour.
        pause = min(_LONGEST_PAUSE, (self._bucket.clock.time() - min(each.since for each in waiting)) / 2)
        retries = [max(each.retry_after, pause) for each in notifications.values() if each.retry_after]
        warnings = [each.warning for each in notifications.values() if each.warning]
        self._done = replace(
            self._done, warnings=(*self._done.warnings, *warnings), notify_after=max(retries, default=None)
        )
        for _ in range(_MOST_TELLINGS):
            left = without_told(stored.head.waiting, waiting, notifications, self._bucket.clock.time())
            if left == stored.head.waiting:
                return
            try:
                self._stored = self._bucket.state.replace(stored, replace(stored.head, waiting=left), stored.body)
            except ConflictError:
                stored = self._bucket.state.read()
            else:
                return
        raise ConflictError(f"other runs were first {_MOST_TELLINGS} times; subscribers are told again")

    def _require_complete(self, stored: BucketState) -> None:
        if stored.damage or not stored.head.built_at:
            raise RebuildNeededError("there is no complete state of the bucket; a rebuild makes one")
        if stored.head.made_with != self._bucket.made_with:
            raise RebuildNeededError("the state was made with other settings or another release; start a rebuild")

    def _left_to_next(self, stored: BucketState, looked: Looked) -> None:
        """Keep what was read so far, and publish nothing."""
        goes_on = stored.head.reading_as == self._bucket.read_as
        records = (
            replace(each, is_of_build=each.key in looked.seen or (goes_on and each.is_of_build))
            for each in merged(stored.memory.objects, looked).values()
        )
        memory = replace(stored.memory, objects=tuple(records))
        is_other = stored.head.read_as != self._bucket.read_as
        head = replace(
            stored.head,
            reading_as=self._bucket.read_as if is_other else "",
            build=Build(self._bucket.state.new_id(), self._bucket.clock.time()),
        )
        self._stored = self._bucket.state.replace(stored, head, bucket_state.dump_memory(memory), self._least_number)
        self._done = replace(self._done, is_unfinished=True)

    def _committed(
        self, stored: BucketState, looked: Looked, suspects: Collection[str]
    ) -> tuple[BucketState, Decided, bool]:
        """The state that follows, stored if it is new, and whether pages may move from file to file."""
        decided = decide(self._bucket, stored, looked)
        guard(decided, stored.head, self._bucket, self._max_removed)
        self._lists_nothing = not decided.plan.documents
        if self._done.plan is None:
            self._done = replace(self._done, plan=decided.plan)
            self._warn_of_pages(decided, looked)
        names, now = decided.head.by_name if looked.is_rebuild else suspects, self._bucket.clock.time()
        wrong = wrong_files(self._bucket, decided.head, names)
        head, contested = (decided.head, ()) if looked.is_rebuild else with_repaired(decided.head, wrong, now)
        self._warn("contested", list(map(Example, contested)))
        if stored.head.built_at and stored.head.made_with == head.made_with:  # of others nobody needs to know each page
            head = replace(head, waiting=self._with_result(head.waiting, changes=decided.plan.changes))
        head = with_published(replace(head, pending=head.pending | (wrong.keys() - set(contested))), {}, now)
        may_move = bool(stored.head.pending) or names_may_move(stored.head.files, head.files)
        if self._damage:
            head, self._damage = replace(head, damage=self._damage, damaged_at=now), ""
        is_newest = stored.head.number >= self._least_number
        is_changed = decided.is_changed or self._adopted is not None
        if head == stored.head and not is_changed and is_newest:
            return stored, decided, may_move
        body = bucket_state.dump_memory(decided.memory) if is_changed else stored.body
        committed = self._bucket.state.replace(stored, head, body, self._least_number)
        self._adopted = None
        return committed, decided, may_move

    def _published(self, committed: BucketState, decided: Decided, *, may_move: bool) -> Collection[str]:
        """Publish what is pending, and note it; returns files to look at again, because another run was first."""
        head = committed.head
        publisher = Publisher(self._bucket, head, decided.plan.documents, decided.rendered_again)
        files = [each for each in head.files if each.name in head.pending]
        try:
            robots = robots_of(self._bucket, head) if ROBOTS in head.pending else None
            publisher.publish([each for each in files if each.name != ROBOTS], robots, may_move=may_move)
            after = with_published(head, publisher.finished, self._bucket.clock.time())
            right = tuple(sorted(name for name, etag in publisher.finished.items() if etag))
            after = replace(after, waiting=self._with_result(after.waiting, written=right))
            self._stored = self._bucket.state.replace(committed, after, committed.body)
        except SupersededError as error:
            self._require_newer_state(error)
            return head.pending
        except ConflictError:
            return publisher.written or head.pending
        finally:
            self._note(publisher)
        return ()

    def _with_result(self, waiting: Waiting, **what: Any) -> Waiting:
        """What waits after one more publication, if there are subscribers."""
        bucket = self._bucket
        if not bucket.subscribers:
            return waiting
        result = PublishResult(bucket.state.new_id(), bucket.site.base_url, **what)
        return with_result(waiting, result, bucket.subscribers, bucket.clock.time())

    def _pause(self, attempt: int) -> None:
        """Let the other runs end, a while that differs from run to run, before this one begins again."""
        share = int(self._bucket.state.new_id()[-4:], 16) / 0xFFFF
        self._bucket.clock.sleep(_PAUSE * (attempt + 1) * share)

    def _require_newer_state(self, found: SupersededError) -> None:
        """Raise RebuildNeededError if the state that is published is gone: an older copy was restored.

        The state then says so, so that no run publishes before a rebuild gives it a higher number.
        """
        stored = self._bucket.state.read()
        head, number = stored.head, found.number
        if head.number > number or (head.number, head.id) == (number, found.state):
            return
        problem = f"files of state {number} are published, and the present state is an older one"
        if not self._is_rebuild:
            with suppress(ConflictError):
                self._bucket.state.replace(stored, replace(head, needs_rebuild=problem), stored.body)
            raise RebuildNeededError(problem)
        self._least_number, self._damage = number + 1, problem
        self._warn("state-damaged", [Example(self._bucket.state.where, problem)])

    def _note(self, publisher: Publisher) -> None:
        """Add what a publisher wrote, and the warnings about other writers' files, to the result."""
        for code in ("foreign-replaced", "output-blocked", "output-left"):
            self._warn(code, [example for warned, example in publisher.warned if warned == code])
        self._done = replace(self._done, written=tuple(dict.fromkeys((*self._done.written, *publisher.written))))

    def _warn_of_pages(self, decided: Decided, looked: Looked) -> None:
        """Add the warnings about all pages, or in an update about those that it looked at."""
        warnings = decided.listing.warnings if looked.is_rebuild else warnings_about(decided.listing, looked.seen)
        self._done = replace(self._done, warnings=(*self._done.warnings, *warnings))
        unread = [Example(printable(key), printable(error)) for key, error in looked.failed.items()]
        self._warn("unreadable", unread)
        self._warn("state-damaged", [Example(self._bucket.state.where, looked.damage)] if looked.damage else [])

    def _warn(self, code: str, examples: Sequence[Example]) -> None:
        if examples:
            self._done = replace(self._done, warnings=(*self._done.warnings, site_warning(code, examples)))


def _nothing(stored: BucketState) -> Looked:
    del stored
    return Looked()
