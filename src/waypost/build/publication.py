"""Publishes the files of a state: each is looked at first, and replaced only as it was seen.

It also says what each is to hold, and which of the published files are not as the state wants them.

The order keeps two promises at every moment: what an index names exists, and a page that stays listed is in one of the
files. So first come sitemaps that are new or gain pages, then what lists sitemaps, and last the files that lose pages
to others; a file that gains and loses is written twice, first with both.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from waypost.build.bucket_site import BucketSite
from waypost.build.bucket_state import ROBOTS, LeavingFile, PublishedFile, RepairedFile, StateHead
from waypost.core import concurrency
from waypost.core.errors import ConflictError, StoreError, UncertainError
from waypost.core.gzip import compress_if_gzip, decompress_if_gzip
from waypost.core.hashing import content_digest
from waypost.core.model import Document, Example, IndexChild, Page
from waypost.files import DIGEST
from waypost.settings import output_names
from waypost.settings.schema import Site
from waypost.sitemaps.documents import robots_body, sitemap_in_format_of
from waypost.sitemaps.format_registry import is_own_file
from waypost.sitemaps.render import Renderer
from waypost.validate import sitemap_content

STATE_ID, STATE_NUMBER = "waypost-state", "waypost-number"
"""Metadata of a published file: the state of which it was made, and its number."""
_ATTEMPTS = 5
"""How often a file is written while others replace it."""
_NO_LISTS = ("html", "llms", "stylesheet")
"""The kinds of files that no crawler reads: no order matters for them."""
_HOUR = 3_600
MAX_REPLACEMENTS = 3
"""How often a file that others replaced is repaired within an hour; then it is left until the next rebuild."""
REPLACED, DELETED = 10, 1
"""What counts how much: each deployment by `aws s3 sync --delete` deletes the sitemaps."""
_MOST = MAX_REPLACEMENTS * REPLACED
MakeRobots = Callable[[bytes | None], bytes]
"""What robots.txt is to hold, given what it holds."""
_Wave = list[tuple[PublishedFile, bytes | None]]
"""Files that are written at the same time, each with the bytes that precede its own, or None."""


class Replacement(NamedTuple):
    """How a published file is replaced by another one.

    `is_last` if the file is written after all others, because entries go. `combined` is what is written before that, if
    there are new entries as well.
    """

    is_last: bool = False
    combined: bytes | None = None


AT_ONCE = Replacement()


def replacement(name: str, target: bytes, published: bytes, site: Site, renderer: Renderer) -> Replacement:
    """How the published file is replaced by the `target`, both uncompressed.

    A combined file has no metadata but dates; in a format that no crawler reads there is none. Until it is
    replaced, it may have more entries than a limit allows.
    """
    (kind, wanted), (published_kind, present) = (
        sitemap_content.read_entries(name, body) for body in (target, published)
    )
    if kind != published_kind:
        return Replacement(is_last=kind == "sitemapindex")
    locs, present_locs = {each.loc for each in wanted}, {each.loc for each in present}
    if present_locs <= locs:
        return AT_ONCE
    if locs <= present_locs:
        return Replacement(is_last=True)
    both = wanted + [each for each in present if each.loc not in locs]
    if kind == "sitemapindex":
        children = [IndexChild(each.loc or "", each.lastmod) for each in both]
        return Replacement(is_last=True, combined=renderer.index(children, output_names.output_names(site).stylesheet))
    pages = [Page(each.loc or "", each.loc or "", lastmod=each.lastmod) for each in both]
    return Replacement(is_last=True, combined=sitemap_in_format_of(name, pages, site, renderer))


class SupersededError(StoreError):
    """A file of the state with this number and id is published already, so what this run would write is old."""

    def __init__(self, name: str, number: int, state: str) -> None:
        super().__init__(f"{name} is published from state {number}")
        self.number, self.state = number, state


class PresentFile(NamedTuple):
    """What is published under a name: its ETag, None if there is no file, and the digest of its uncompressed bytes.

    `number` and `state` are the number and the id of the state of which it was made, 0 and `""` if that is not this
    site's.
    """

    etag: str | None
    digest: str = ""
    is_ours: bool = True
    number: int = 0
    state: str = ""


NO_FILE = PresentFile(None)


class Publisher:
    """Publishes files of one state of a site.

    Their bytes are in `documents`; of those that are known already, only in the ones that are `rendered_again`.
    `finished` has the ETags of files that are right, `""` where another writer's file was left. `written` are the names
    of files that were written, and `warned` pairs of a warning's code and a file.
    """

    def __init__(
        self,
        bucket: BucketSite,
        head: StateHead,
        documents: Iterable[Document] = (),
        rendered_again: Callable[[], Sequence[Document]] = tuple,
    ) -> None:
        self.store, self._bucket, self._head = bucket.outputs, bucket, head
        self._documents, self._rendered_again = {each.name: each for each in documents}, rendered_again
        self.finished: dict[str, str] = {}
        self.written: dict[str, None] = {}
        self.warned: list[tuple[str, Example]] = []

    def look(self, name: str, known_etag: str = "") -> PresentFile:
        """What is published under a name now: a HEAD request, and a GET if its metadata may say nothing of its bytes.

        Tools that edit or copy a file may keep its metadata. So these are believed only of the file with the ETag with
        which it was written last, if that is known.
        """
        info = self.store.head(name)
        if info is None:
            return NO_FILE
        digest, owner = info.metadata.get(DIGEST, ""), info.metadata.get(STATE_ID)
        if owner is None or known_etag not in ("", info.etag):
            body = decompress_if_gzip(name, self.store.read(name) or b"")
            digest = content_digest(body)
        if owner is None:
            return PresentFile(info.etag, digest, is_own_file(name, body, output_names.output_names(self._bucket.site)))
        if owner != self._head.site_id:
            return PresentFile(info.etag, digest, is_ours=False)
        number, state = state_of(info.metadata)
        return PresentFile(info.etag, digest, number=number, state=state)

    def publish(self, files: Sequence[PublishedFile], robots: MakeRobots | None, *, may_move: bool) -> None:
        """Publish these files, of which any may be right already, and robots.txt, if `robots` makes it.

        `may_move` says that pages may have moved from file to file, so that the order counts. Where another writer is
        first, all that is left is looked at again, because the order depends on it. Raises StoreError, and
        SupersededError if a later state is published.
        """
        for _ in range(_ATTEMPTS):
            try:
                self._publish([each for each in files if each.name not in self.finished], robots, may_move=may_move)
            except (ConflictError, UncertainError):
                continue  # the next look shows what became of it
            return
        raise StoreError(f"files could not be written: others replaced them {_ATTEMPTS} times; run this again")

    def _publish(self, files: Sequence[PublishedFile], robots: MakeRobots | None, *, may_move: bool) -> None:
        looks = concurrency.map_concurrently(lambda each: self.look(each.name, each.etag), files, self.store.width)
        present = {each.name: look for each, look in zip(files, looks, strict=True)}
        for name, look in present.items():
            is_another = look.number == self._head.number and look.state not in ("", self._head.id)
            if look.number > self._head.number or is_another:
                raise SupersededError(name, look.number, look.state)
        right = {each.name: present[each.name].etag or "" for each in files if is_right(each, present[each.name])}
        self.finished |= right
        wrong = [each for each in files if each.name not in right]
        how = {each.name: self._replacement(each, present[each.name]) if may_move else AT_ONCE for each in wrong}
        first, last = _waves(wrong, how)
        for wave in first:
            concurrency.map_concurrently(lambda each: self._write(*each, present), wave, self.store.width)
        if robots and ROBOTS not in self.finished:
            self._write_robots(robots)
        for wave in last:
            concurrency.map_concurrently(lambda each: self._write(*each, present), wave, self.store.width)

    def delete(self, names: Iterable[str]) -> Collection[str]:
        """Delete files that are this site's, each as it was seen; returns those that are gone, or another writer's.

        An index goes before the sitemaps that it names: it has the shortest name of its site, or a name of its own.
        """
        gone = list[str]()
        for name in sorted(
            names, key=lambda name: (output_names.is_shard_name(name), "-index-" not in name, len(name))
        ):
            present = self.look(name)
            try:
                if present.etag and present.is_ours:
                    self.store.delete_if_match(name, present.etag)
            except (ConflictError, UncertainError):
                break  # somebody writes it at this moment, or nobody knows: the next rebuild looks again
            except StoreError:
                self.warned.append(("output-left", Example(name)))
                continue  # a role may not delete files of earlier settings: the next rebuild tries again
            gone.append(name)
        return gone

    def _body(self, name: str) -> bytes:
        """A file's uncompressed bytes."""
        found = self._documents[name]
        if found.known_digest:
            found = next(each for each in self._rendered_again() if each.name == name)
        return found.body

    def _replacement(self, file: PublishedFile, present: PresentFile) -> Replacement:
        """How a file is replaced, by what it lists now."""
        if present.etag is None or file.kind in _NO_LISTS:
            return AT_ONCE
        published = decompress_if_gzip(file.name, self.store.read(file.name) or b"")
        return replacement(file.name, self._body(file.name), published, self._bucket.site, self._bucket.renderer)

    def _write(self, file: PublishedFile, body: bytes | None, present: dict[str, PresentFile]) -> None:
        """Write a file, or the `body` that precedes it; unless another writer's file is in its place."""
        name, found = file.name, present[file.name]
        if found.etag and not found.is_ours:
            if not output_names.is_for_crawlers(name):
                self.warned.append(("output-blocked", Example(name)))
                self.finished[name] = ""
                return
            self.warned.append(("foreign-replaced", Example(name)))
        target = self._body(name) if body is None else body
        digest = content_digest(target)
        number = f"{self._head.number}-{self._head.id}"
        metadata = {STATE_ID: self._head.site_id, STATE_NUMBER: number, DIGEST: digest}
        etag = self.store.put_if_match(name, compress_if_gzip(name, target), found.etag, metadata)
        self.written[name], present[name] = None, PresentFile(etag, digest)
        if body is None:
            self.finished[name] = etag

    def _write_robots(self, make: MakeRobots) -> None:
        """Replace robots.txt by what is made of it, only as it was read."""
        stored = self.store.get(ROBOTS)
        body = make(stored.content if stored else None)
        if stored and stored.content == body:
            self.finished[ROBOTS] = stored.etag
            return
        self.finished[ROBOTS] = self.store.put_if_match(ROBOTS, body, stored.etag if stored else None)
        self.written[ROBOTS] = None


def state_of(metadata: Mapping[str, str]) -> tuple[int, str]:
    """The number and the id of the state that a published file is of, 0 and `""` if its metadata do not say."""
    number, _, state = metadata.get(STATE_NUMBER, "").partition("-")
    return (int(number), state) if number.isdecimal() else (0, "")


def is_right(file: PublishedFile, present: PresentFile) -> bool:
    """Whether a file is published as it should be."""
    return present.etag is not None and present.is_ours and present.digest == file.digest


def _waves(files: Sequence[PublishedFile], how: Mapping[str, Replacement]) -> tuple[list[_Wave], list[_Wave]]:
    """The files in waves, those before robots.txt and those after it; one must be written before the next begins."""
    indexes = [each for each in files if each.kind == "index"]
    others = [each for each in files if each.kind != "index"]
    first, last = list[_Wave](), list[_Wave]()
    for some in (others, indexes):
        first.append([(each, None) for each in some if not how[each.name].is_last])
        first.append([(each, how[each.name].combined) for each in some if how[each.name].combined is not None])
        last.insert(0, [(each, None) for each in some if how[each.name].is_last])
    return first, last


def names_may_move(before: Collection[PublishedFile], after: Collection[PublishedFile]) -> bool:
    """Whether pages may move from one sitemap to another: then a sitemap appears or disappears.

    A sitemap's name comes from its first key and its group, and where it ends another begins (see `sharding`).
    """
    old, new = ({(each.name, each.kind) for each in files if each.kind != "robots"} for files in (before, after))
    return old != new


def with_repaired(head: StateHead, wrong: Mapping[str, int], now: float) -> tuple[StateHead, list[str]]:
    """The head in which wrong files are counted, and the names of those that are contested.

    Each file has `REPLACED`, `DELETED`, or 0 for what a run of the site has written.
    """
    known = {each.name: each for each in head.repaired}
    for name, weight in wrong.items():
        if weight:
            known[name] = counted_again(known.get(name), name, weight, now)
    contested = sorted(name for name in wrong if name in known and is_contested(known[name]))
    return replace(head, repaired=tuple(known[name] for name in sorted(known))), contested


def is_contested(file: RepairedFile) -> bool:
    """Whether others replaced or deleted a file so often that it is left as it is."""
    return file.count > _MOST


def counted_again(before: RepairedFile | None, name: str, weight: int, now: float) -> RepairedFile:
    """A file that is wrong once more; a contested one stays as it is."""
    if before is None or (not is_contested(before) and now - before.since >= _HOUR):
        return RepairedFile(name, now, weight)
    return before if is_contested(before) else replace(before, count=before.count + weight)


def wrong_files(bucket: BucketSite, head: StateHead, names: Collection[str]) -> dict[str, int]:
    """Those of these files that are not published as they should be, and what others did: DELETED, REPLACED, or 0.

    What is pending is known to be wrong. robots.txt is wrong if it lacks the right lines.
    """
    files, publisher = head.by_name, Publisher(bucket, head)
    wanted = [files[name] for name in names if name in files and name not in head.pending and name != ROBOTS]
    width = publisher.store.width
    looks = concurrency.map_concurrently(lambda each: publisher.look(each.name, each.etag), wanted, width)
    found = zip(wanted, looks, strict=True)
    wrong = {file.name: _done_by_others(look) for file, look in found if not is_right(file, look)}
    if bucket.site.robots_sitemaps and ROBOTS in names:
        present = bucket.outputs.read(ROBOTS)
        if present != robots_of(bucket, head)(present):
            wrong[ROBOTS] = REPLACED if present else DELETED
    return wrong


def robots_of(bucket: BucketSite, head: StateHead) -> MakeRobots:
    """What robots.txt is to hold, given what it holds."""
    urls = [*(bucket.site.base_url + name for name in head.root_names), *head.other_roots]
    removed = [each.name for each in head.leaving]

    def body(present: bytes | None) -> bytes:
        own = bucket.robots_txt() if bucket.is_elsewhere else None
        text = (present or b"") if own is None else own
        return robots_body(text, urls, bucket.site, bucket.renderer, removed)

    return body


def is_written(file: PublishedFile | None, etags: Mapping[str, str]) -> bool:
    """Whether an event tells of the very write that the state remembers; a later write has an event of its own."""
    return file is not None and bool(file.etag) and etags.get(file.name) == file.etag


def with_published(head: StateHead, finished: Mapping[str, str], now: float) -> StateHead:
    """The head without the files that are published among its pending ones.

    Once nothing is pending, no index names the files that are leaving: they may be deleted from then on.
    """
    files = (replace(each, etag=finished.get(each.name, each.etag)) for each in head.files)
    pending = head.pending - finished.keys()
    leaving = (each if each.since or pending else LeavingFile(each.name, now) for each in head.leaving)
    return replace(head, files=tuple(files), pending=pending, leaving=tuple(leaving))


def _done_by_others(present: PresentFile) -> int:
    if present.etag is None:
        return DELETED
    return 0 if present.is_ours else REPLACED
