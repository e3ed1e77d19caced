"""What a state that begins anew takes over: dates of another state, or of the published files."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace as replace_field

from msgspec import Struct
from msgspec.structs import replace

from waypost.build.bucket_site import BucketSite
from waypost.build.bucket_state import NO_FACTS, BucketState, Memory, ObjectRecord, StateFile, StateHead
from waypost.build.partitions import name_of_output
from waypost.build.publication import STATE_ID, state_of
from waypost.build.state import ContentDate
from waypost.core.errors import StateError
from waypost.core.gzip import decompress_if_gzip
from waypost.core.hashing import content_digest
from waypost.files import DIGEST
from waypost.settings.output_names import output_names
from waypost.validate import sitemap_content


class PublishedBefore(Struct, frozen=True):
    """The date of each listed URL, `""` if it has none; the id of the site's state, and the highest number.

    `files` has the digest of each sitemap, and the date that an index gives it.
    """

    dates: Mapping[str, str] = {}
    files: Mapping[str, ContentDate] = {}
    site_id: str = ""
    number: int = 0


def damage_of(stored: BucketState, published: PublishedBefore, where: str) -> str:
    """Why a state must be made again, or `""`: it is damaged, or lost though it has published files."""
    if stored.damage:
        return stored.damage
    is_lost = bool(published.site_id) and not (stored.head.files or stored.head.site_id)
    return f"{where} is missing, though its files are published" if is_lost else ""


def what_is_published(bucket: BucketSite) -> PublishedBefore:
    """What the files say that are as they were published; raises StoreError.

    The digest in a file's metadata says so: a file that somebody has edited dates nothing.
    """
    names, site_id, number = output_names(bucket.site), "", 0
    dates, children, digests = dict[str, str](), dict[str, str | None](), dict[str, str]()
    for name in bucket.outputs.list_files(names.stem):
        if not (names.lists_pages(name) and names.could_be_ours(name)) or name_of_output(name, names.stem):
            continue
        info, body = bucket.outputs.head(name), decompress_if_gzip(name, bucket.outputs.read(name) or b"")
        if info is None or info.metadata.get(DIGEST) != content_digest(body):
            continue
        kind, entries = sitemap_content.read_entries(name, body)
        if kind == "sitemapindex":
            children |= {(entry.loc or "").removeprefix(bucket.site.base_url): entry.lastmod for entry in entries}
        else:
            digests[name] = info.metadata[DIGEST]
            dates |= {entry.loc or "": entry.lastmod or dates.get(entry.loc or "", "") for entry in entries}
        site_id = info.metadata.get(STATE_ID, site_id)
        number = max(number, state_of(info.metadata)[0])
    files = {name: ContentDate(digest, children.get(name)) for name, digest in digests.items()}
    return PublishedBefore(dates, files, site_id, number)


def read_other(file: StateFile) -> BucketState:
    """The state that is to be adopted; raises StateError if there is no complete one, and StoreError."""
    found = replace_field(file, site_uri="").read()
    if not found.head.built_at:
        raise StateError(f"there is no complete state at {file.where} to adopt; name the folder that has it")
    return found


def adopting(stored: BucketState, other: BucketState, site_uri: str) -> BucketState:
    """A state that remembers the contents, the dates and the lists of another one, too.

    It keeps its id, or gets the other's: the files of a site that was copied have this in their metadata. What is
    published by another site's state, which is in the place of this one, is not this site's.
    """
    head, memory = stored.head, stored.memory
    if head.site_uri not in ("", site_uri):
        head, memory = StateHead(number=head.number, site_id=head.site_id), Memory()
    memory = replace(
        memory,
        objects=tuple(_adopted(memory.objects, other.memory.objects)),
        rules_version=memory.rules_version or other.memory.rules_version,
        named=memory.named if memory.named.sources else other.memory.named,
    )
    head = replace(head, site_id=head.site_id or other.head.site_id)
    return replace(stored, head=head, memory=memory)


def _adopted(own: Sequence[ObjectRecord], others: Sequence[ObjectRecord]) -> Iterator[ObjectRecord]:
    """The records in the order of their keys; an object with the content that the other state knows has its date."""
    known = {each.key: each for each in own}
    for other in others:
        mine = known.get(other.key)
        if mine is None:
            known[other.key] = ObjectRecord(
                other.key, "", "", NO_FACTS, text_digest=other.text_digest, lastmod=other.lastmod
            )
        elif mine.text_digest == other.text_digest:
            known[other.key] = replace(mine, lastmod=other.lastmod)
    return (known[key] for key in sorted(known))
