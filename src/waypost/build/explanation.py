"""Explains why a file of a folder, or an object of a bucket, is listed or not, and finds the file that a user means."""

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import unquote

from msgspec import UNSET, Struct, UnsetType

from waypost.build.answers import Problem, count_noun, problem_lines
from waypost.build.lister import Listing
from waypost.core.finding_types import WARNINGS
from waypost.core.model import DatedBy, Document, Page, PageDating, SourceKind, UrlDecision, printable
from waypost.core.urls import page_identity, path_identity
from waypost.settings.schema import Site
from waypost.sitemaps.format_registry import crawled_kinds, format_of

NOT_FOUND = "not-found"
"""The reason for which a path is not listed if there is no such file."""
_FOLDER = "folder"
_BACKSLASH = "; write / between folders"
_DECIDED_FOR_ONE = {
    "setting": "by a setting",
    "generator": "by the generator's permalink",
    "canonical": "by its canonical link",
    "links": "by the site's links",
    "host": "by the host's rule",
    "sitemap": "by the site's sitemap",
    "default": "by default",
}
_KINDS_OF_EVIDENCE: Mapping[DatedBy, str] = {
    "generator": "by the generator",
    "copy": "by its bytes",
    "generator-date": "by the generator's date",
    "text": "by its text",
    "edit-link": "by a link on the page",
    "path": "by its path",
}


class KeyFinder:
    """Finds keys among the files of a listing, which may be listed or left out."""

    def __init__(self, listing: Listing, site: Site) -> None:
        self._site = site
        self._keys = {*(page.key for page in listing.pages), *(skipped.key for skipped in listing.skipped)}
        self._keys_by_source = listing.keys_by_source
        self._by_loc = {page.loc: page.key for page in listing.pages}
        self._by_path = {path_identity(key): key for key in sorted(self._keys, reverse=True)}
        self._by_path |= {page_identity(page.loc): page.key for page in reversed(listing.pages)}

    def by_url(self, url: str) -> str | None:
        """The key of the page at a URL, or of the file that would be; None if the site has no such file."""
        if url in self._by_loc:
            return self._by_loc[url]
        plain = url.partition("#")[0].partition("?")[0]
        identity, base = page_identity(plain), page_identity(self._site.base_url)
        if identity in self._by_path:
            return self._by_path[identity]
        if not identity.startswith(f"{base}/"):
            return None
        folders = self._site.base_url.count("/")
        return self.by_path("/".join(plain.split("/")[folders:]))

    def by_path(self, path: str) -> str | None:
        """The key of a path below the site's root, or of the page that is made of it; None if there is no such file."""
        for candidate in (path, path.strip("/"), unquote(path).strip("/")):
            if self._is_known(candidate):
                return candidate
            if candidate in self._keys_by_source:
                return self._keys_by_source[candidate]
        identity = path_identity(path)
        loc = f"{page_identity(self._site.base_url)}/{identity}".rstrip("/")
        return self._by_path.get(loc) or self._by_path.get(identity)

    def _is_known(self, key: str) -> bool:
        """Whether there is such a file or folder, or a folder above it is left out."""
        if not key:
            return False
        folders, prefix = (key[: n + 1] for n, character in enumerate(key) if character == "/"), f"{key.rstrip('/')}/"
        is_known = key in self._keys or not self._keys.isdisjoint(folders)
        return is_known or any(each.startswith(prefix) for each in self._keys)


class Explanation(Struct, frozen=True):
    """Why a file is listed or not; `listed` is null if a problem prevents that this is known.

    A listed page has `loc`, `lastmod` (null if it has no date, and then `no_date_reason` says why if that is known),
    `sitemap` (null if none holds it) and, in a bucket with a state, `state`: whether that has the present object. Any
    other file has `reason`, `detail`, and `decided_by`: the file, or the folder above it, that the reason applies to. A
    file of a folder has `source_kind`: what the folder was recognised as; a listed page also has `url_decided_by`, what
    decided the form of its URL, and `dating`, what dated it, with the abbreviated id of the `commit`. In a bucket,
    `problems` has what is wrong, if anything is.
    """

    path: str
    listed: bool | None
    loc: str | UnsetType = UNSET
    lastmod: str | UnsetType | None = UNSET
    no_date_reason: str | UnsetType = UNSET
    sitemap: str | UnsetType | None = UNSET
    state: str | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    detail: str | UnsetType = UNSET
    decided_by: str | UnsetType = UNSET
    source_kind: SourceKind | UnsetType = UNSET
    url_decided_by: UrlDecision | UnsetType = UNSET
    dating: PageDating | UnsetType = UNSET
    commit: str | UnsetType = UNSET
    problems: Sequence[Problem] | UnsetType = UNSET


def excluded(path: str, reason: str, detail: str, decided_by: str = "") -> Explanation:
    """The explanation of a file that is not listed; without `decided_by` the reason is the file's own."""
    return Explanation(path, listed=False, reason=str(reason), detail=detail, decided_by=decided_by or path)


def explain(listing: Listing, documents: Sequence[Document], key: str) -> Explanation:
    """Why a key is listed, and where, or which rule left it out."""
    page = next((page for page in listing.pages if page.key in (key, f"{key}/")), None)
    if page is not None:
        return _listed(listing, documents, page)
    path = printable(key)
    for skipped in listing.skipped:
        if skipped.key == path or (skipped.key.endswith("/") and f"{path}/".startswith(skipped.key)):
            detail = f" ({skipped.detail})" if skipped.detail else ""  # of the file, or of a folder around it
            return excluded(path, str(skipped.reason), skipped.reason.meaning + detail, printable(skipped.key))
    prefix = "" if key == "." else f"{key}/"
    page_count = sum(page.key.startswith(prefix) for page in listing.pages)
    skipped_count = sum(skipped.key.startswith(printable(prefix)) for skipped in listing.skipped)
    if page_count or skipped_count:
        return excluded(path, _FOLDER, f"{count_noun(page_count, 'page')} in it listed, {skipped_count:,} left out")
    return excluded(path, NOT_FOUND, f"the site's folder has no such file{_BACKSLASH if chr(92) in key else ''}")


def _listed(listing: Listing, documents: Sequence[Document], page: Page) -> Explanation:
    sitemaps = [document for document in documents if document.kind in crawled_kinds()]
    return Explanation(
        printable(page.key),
        listed=True,
        loc=page.loc,
        lastmod=page.lastmod,
        no_date_reason="" if page.lastmod else _no_date_reason(listing, page),
        sitemap=next((each.name for each in sitemaps if _lists(each, page.loc)), None),
        url_decided_by=listing.url_decisions.get(page.key, UNSET),
        dating=listing.datings.get(page.key, UNSET),
    )


def _lists(document: Document, loc: str) -> bool:
    file_format = format_of(document.name)
    entries = file_format.entries(document.name, document.body) if file_format else None
    return any(entry.loc == loc for entry in entries or ())


def _no_date_reason(listing: Listing, page: Page) -> str:
    """Why a page has no date, or an empty string if that is not known."""
    no_repository = next((warning.message for warning in listing.warnings if warning.code == "no-repository"), "")
    code = listing.no_date_reason.get(page.key, "")
    return WARNINGS[code].meaning if code in WARNINGS else no_repository


def explanation_lines(answer: Explanation) -> Iterator[str]:
    """Why a file is listed or not."""
    yield answer.path
    if answer.listed:
        yield from _listed_lines(answer)
    elif answer.listed is None:
        yield "  unknown   a problem prevents that this is known"
    else:
        yield f"  left out  {answer.reason}: {answer.detail}"
        if answer.decided_by != answer.path:
            yield f"  decided   for the folder {answer.decided_by}"
    if not isinstance(answer.problems, UnsetType):
        yield from problem_lines(answer.problems)


def _listed_lines(answer: Explanation) -> Iterator[str]:
    yield f"  listed    {answer.loc}"
    if answer.url_decided_by is not UNSET:
        yield f"  form      {_DECIDED_FOR_ONE[answer.url_decided_by]}"
    commit = f", commit {answer.commit}" if answer.commit else ""
    why_not = f": {answer.no_date_reason}" if answer.no_date_reason else ""
    yield f"  lastmod   {answer.lastmod or 'none'}{commit}{why_not}"
    if not isinstance(answer.dating, UnsetType):
        yield from _dating_lines(answer.dating)
    yield f"  sitemap   {answer.sitemap or 'none'}"
    if answer.state is not UNSET:
        yield f"  state     {answer.state}"


def _dating_lines(dating: PageDating) -> Iterator[str]:
    """The files that a page is made of, and those that were considered."""
    if dating.dated_by == "url-list":
        yield f"  named in  {', '.join(dating.files)}; it has no file"
    elif dating.dated_by == "entry":
        yield f"  entry     {printable(dating.files[0])} appeared last, or changed its title or summary"
    elif dating.dated_by == "own-date":
        yield f"  dated by  {printable(dating.key)} in {', '.join(map(printable, dating.files)) or 'the page'}"
    elif dating.dated_by and dating.files:
        strength = f" ({dating.strength})" if dating.strength else ""
        yield f"  made of   {', '.join(map(printable, dating.files))}, {_KINDS_OF_EVIDENCE[dating.dated_by]}{strength}"
    for text in dating.considered:
        yield f"            not {printable(text)}"
