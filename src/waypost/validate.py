"""Whether a file keeps the protocol: what every output must pass before it replaces another."""

from collections.abc import Iterator, Sequence
from xml.etree import ElementTree

from waypost.config import Limits
from waypost.errors import RenderError
from waypost.model import Document

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_ROOTS = {"sitemap": ("urlset", "url"), "index": ("sitemapindex", "sitemap")}


def check(document: Document, locs: Sequence[str], limits: Limits) -> None:
    """Raise RenderError unless a rendered document is right and lists exactly these locs, in order.

    XML must be well-formed and its root and entries the protocol's; no file may be over the
    profile's limits, counted uncompressed.
    """
    most = limits.sitemaps if document.kind == "index" else limits.urls
    found = _text_locs(document) if document.kind == "text" else _xml_locs(document)
    for problem in (
        f"it has {len(document.body):,} bytes and may have {limits.size:,}" if len(document.body) > limits.size else "",
        f"it lists {len(found):,} entries and may list {most:,}" if len(found) > most else "",
        _difference(found, locs),
    ):
        if problem:
            raise _broken(document, problem)


def listed(name: str, body: bytes) -> Iterator[tuple[str, str]]:
    """Each loc of a sitemap that stands, with its lastmod or `""`; nothing of a file that cannot be read."""
    if is_xml(name):
        for url in _entries(body, "url"):
            yield url.findtext(f"{{{NAMESPACE}}}loc", ""), url.findtext(f"{{{NAMESPACE}}}lastmod", "")
    else:
        yield from ((line, "") for line in body.decode("utf-8", "replace").splitlines() if line)


def children(name: str, body: bytes) -> Iterator[str]:
    """Each sitemap that a standing index names; none of any other file."""
    for sitemap in _entries(body, "sitemap") if is_xml(name) else ():
        yield sitemap.findtext(f"{{{NAMESPACE}}}loc", "")


def _entries(body: bytes, tag: str) -> Iterator[ElementTree.Element]:
    try:
        root = ElementTree.fromstring(body)  # noqa: S314 (a file of the site's owner, in their own run)
    except ElementTree.ParseError:
        return
    yield from root.iter(f"{{{NAMESPACE}}}{tag}")


def is_xml(name: str) -> bool:
    """Whether a sitemap of this name is XML, compressed or not."""
    return name.removesuffix(".gz").endswith(".xml")


def _text_locs(document: Document) -> list[str]:
    return document.body.decode().splitlines()


def _xml_locs(document: Document) -> list[str]:
    root_name, entry_name = (f"{{{NAMESPACE}}}{name}" for name in _ROOTS[document.kind])
    try:
        root = ElementTree.fromstring(document.body)  # noqa: S314 (what this run rendered)
    except ElementTree.ParseError as error:
        raise _broken(document, f"it is not well-formed XML: {error}") from error
    if root.tag != root_name:
        raise _broken(document, f"its root is {root.tag} and not {root_name}")
    strange = next((entry for entry in root if entry.tag != entry_name), None)
    if strange is not None:
        raise _broken(document, f"its root holds {strange.tag}, where only {entry_name} may stand")
    return [(entry.findtext(f"{{{NAMESPACE}}}loc") or "").strip() for entry in root]


def _difference(found: Sequence[str], locs: Sequence[str]) -> str:
    if list(found) == list(locs):
        return ""
    known, listed = set(locs), set(found)
    missing = next((loc for loc in locs if loc not in listed), None)
    if missing:
        return f"{missing} is missing"
    extra = next((loc for loc in found if loc not in known), None)
    return f"it lists {extra!r}, which is no page" if extra is not None else "its entries are repeated or out of order"


def _broken(document: Document, problem: str) -> RenderError:
    return RenderError(
        f"{document.name} as rendered breaks the protocol: {problem}; "
        "nothing was replaced. Correct the template that renders it"
    )
