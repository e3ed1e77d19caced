"""Explains why objects of a bucket with a state are listed or not, by the objects as they are now and by the state."""

from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from msgspec import UNSET
from msgspec.structs import replace

from waypost.build.answers import Problems, advice, problems_of
from waypost.build.bucket_listing import Looked, list_objects
from waypost.build.bucket_site import BucketSite
from waypost.build.bucket_state import BucketState
from waypost.build.divided_bucket import DividedBucket
from waypost.build.explanation import NOT_FOUND, Explanation, excluded, explain
from waypost.build.object_looks import ObjectLooks
from waypost.build.partitions import WHOLE
from waypost.core.clock import ONE_ATTEMPT
from waypost.core.errors import SourceError, StateError, WaypostError
from waypost.core.model import printable
from waypost.core.places import is_web
from waypost.core.reasons import UNREADABLE
from waypost.core.urls import page_identity, path_identity
from waypost.pages import page_url
from waypost.pages.url_shapes import stem_of
from waypost.settings.schema import Site

UNREADABLE_ADVICE = (
    "look at the error of each: restore what is archived, upload what is damaged again, and allow the role to read all"
)
_NO_DATE = {
    True: "its text has not changed since the state was made, or the state was lost, so the time is not known",
    False: "the settings ask for no dates",
}
"""Why a page has no date, by whether pages are dated by their content."""
_UNDATED_ENTRY = "the list that names it gives no date"
_CURRENT, _NOT_CURRENT = "has the current object", "does not have the current object; an update adds it"
_LAST_READ = "has the object as it was when it could be read last"


def object_key(path: str, site: Site, site_uri: str) -> str:
    """The site's key of an object's URI, of a page's URL, or of a key below the prefix."""
    if not path.startswith(site.base_url):
        return path.removeprefix(site_uri)
    url_path = unquote(path.removeprefix(site.base_url))
    keys = sorted(page_url.keys_at(stem_of(url_path), site))
    found = [key for key in keys if page_url.page_url(key, site) == path]
    usual = [key for key in found if key.endswith(".html")]
    return min(usual or found, key=lambda key: page_url.duplicate_rank(key, site), default=url_path)


def existing_key(path: str, bucket: BucketSite) -> str:
    """The key of the object that exists among those that a path or a URL may mean, in whatever form it is written.

    If none exists, the result is that of `object_key`. Raises SourceError.
    """
    key = object_key(path, bucket.site, bucket.site_uri)
    if _first_existing([key], bucket):
        return key
    return _first_existing(list(_possible_keys(path, bucket)), bucket) or key


def _first_existing(keys: Sequence[str], bucket: BucketSite) -> str | None:
    etags = bucket.objects.etags(keys)
    return next((key for key in keys if etags[key] is not None), None)


def _possible_keys(path: str, bucket: BucketSite) -> Iterator[str]:
    """The keys, of files that servers answer a path or a URL with, in the order in which they are tried."""
    site = bucket.site
    below = path.removeprefix(bucket.site_uri)
    if is_web(path):
        if not page_identity(path).startswith(page_identity(site.base_url)):
            return
        plain = path.partition("#")[0].partition("?")[0]
        below = "/".join(plain.split("/")[site.base_url.count("/") :])
    for spelling in dict.fromkeys((below.strip("/"), unquote(below).strip("/"))):
        stem = path_identity(spelling)
        keys = [spelling, f"{stem}.html", f"{stem}.htm", *(f"{stem}/{name}" for name in site.index_files)]
        yield from (key.strip("/") for key in keys if key not in (".html", ".htm", ""))


def explain_objects(bucket: DividedBucket, paths: Sequence[str]) -> list[Explanation]:
    """Why the objects that these paths or URLs mean are listed or not, by the states of their parts."""
    division = bucket.readable_division()
    parts = [division.part_of(_key(bucket.whole, path)) if division.partitions else WHOLE for path in paths]
    found: dict[str, Explanation] = {}
    for part in dict.fromkeys(parts):
        own = [path for path, owner in zip(paths, parts, strict=True) if owner == part]
        found |= dict(zip(own, _explain_of_site(bucket.site(part, division), own), strict=True))
    return [found[path] for path in paths]


def _explain_of_site(bucket: BucketSite, paths: Sequence[str]) -> list[Explanation]:
    keys, problems = [_key(bucket, path) for path in paths], Problems()
    stored = problems.attempt(bucket.state.where, bucket.state.read) or BucketState()
    if stored.damage:
        problems.add(bucket.state.where, StateError(stored.damage))
    looks = ObjectLooks(bucket, ONE_ATTEMPT)
    wanted = [key for key in dict.fromkeys(keys) if bucket.exclusion_reason(key) is None]
    looked = Looked(*looks.look(wanted, stored))
    listed = problems.attempt(bucket.site_uri, lambda: list_objects(bucket, stored, looked))
    if listed is None:
        return [Explanation(printable(key), listed=None, problems=problems.found) for key in keys]
    documents = problems.attempt("the templates", lambda: listed.documents(bucket)) or ()

    def explained(key: str) -> Explanation:
        path, reason, error = printable(key), bucket.exclusion_reason(key), looked.failed.get(key, "")
        is_entry = key in listed.listing.entry_keys
        if reason and not is_entry:
            return excluded(path, reason, reason.meaning)
        found = explain(listed.listing, documents, key)
        if found.reason == NOT_FOUND:
            uri = bucket.site_uri
            found = excluded(path, NOT_FOUND, f"there is no {uri}{path}; keys are relative to {uri}")
        elif found.reason == UNREADABLE:
            found = excluded(path, UNREADABLE, error)
        elif found.listed:
            known = next((each for each in stored.memory.objects if each.key == key), None)
            present = looked.seen.get(key)
            is_same = present and known and (present.etag, present.uploaded_at) == (known.etag, known.modified)
            state = _CURRENT if is_entry or is_same else _LAST_READ if key in looked.failed else _NOT_CURRENT
            why = _UNDATED_ENTRY if is_entry else _NO_DATE[bucket.site.lastmod == "content"]
            found = replace(found, state=state, no_date_reason="" if found.lastmod else found.no_date_reason or why)
        own = Problems()
        own.found += problems.found
        if error:
            own.add(f"{bucket.site_uri}{path}", OSError(0, error), advice(error) or UNREADABLE_ADVICE)
        return replace(found, problems=own.found or UNSET)

    return [explained(key) for key in keys]


def explain_without_settings(paths: Sequence[str], error: WaypostError) -> list[Explanation]:
    """The explanations of files of a site whose settings cannot be used."""
    problems = problems_of("settings", error)
    return [Explanation(printable(path), listed=None, problems=problems) for path in paths]


def _key(bucket: BucketSite, path: str) -> str:
    try:
        return existing_key(path, bucket)
    except SourceError:  # the explanation says why, because it reads the same object
        return object_key(path, bucket.site, bucket.site_uri)
