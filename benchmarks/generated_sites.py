"""Sites that are generated, to build in a folder and in a bucket; the same arguments give the same bytes."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import chain

from waypost.sitemaps.sharding import begins_segment

Site = dict[str, bytes]
"""Contents by key."""
_LANGUAGES = ("en", "de", "fr")
_TITLES = ("Ale", "Bo", "Tee", "\u00c5re", "\u0391\u03b8", "\u0412\u0435", "\u5317", "\u65e5")
"""Beginnings of a wiki's titles, in several scripts."""
_MAX_URLS = 50_000
_LETTERS = "names/caf\u00e9/\u65e5\u672c.html"
_OTHERS: Site = {
    "index.html": b"<title>Home</title>",
    "robots.txt": b"User-agent: *\nDisallow: /private/\n",
    "private/plan.html": b"<title>Private</title>",
    "404.html": b"<title>Not found</title>",
    "style.css": b"body { margin: 0 }",
    "guide.pdf": b"%PDF-1.7",
    "notes.txt": b"Notes",
    "docs/index.html": b"<title>Docs</title>",
    "docs/index.htm": b"<title>The same docs</title>",
    "names/a+b & c's 100%.html": b"<title>Signs</title>",
    _LETTERS: b"<title>Letters</title>",
    ".hidden/page.html": b"<title>Hidden</title>",
    "node_modules/page.html": b"<title>Dependency</title>",
    "readme.md": b"---\ntitle: Readme\ndate: 2026-01-02\n---\n# Readme\n",
}


def articles(count: int, now: int) -> Site:
    """Articles in three languages with images, videos, dates before `now`, and most reasons to leave a page out."""
    pages = {_article_key(n): _article(n, now, f"Revision 1 of article {n}.") for n in range(count)}
    return _OTHERS | pages


def changed_articles(count: int, now: int) -> Site:
    """Every tenth article and a page with another text, and one in fifty articles more."""
    numbers = chain(range(0, count, 10), range(count, count + count // 50))
    pages = {_article_key(n): _article(n, now, f"Revision 2 of article {n}.") for n in numbers}
    return pages | {_LETTERS: b"<title>Other letters</title>"}


def deleted_articles(count: int) -> list[str]:
    """The keys of the articles to delete."""
    return [_article_key(n) for n in range(7, count, 40)]


def _article_key(n: int) -> str:
    return f"{_LANGUAGES[n % 3]}/section-{n // 3 % 5}/article-{n // 3:05}.html"


def _article(n: int, now: int, text: str) -> bytes:
    """An article; its number decides which of a page's features it has."""
    head = "\n".join(chain(_rules(n), _alternates(n), _dates(n, now)))
    return (
        f"<!doctype html><html lang={_LANGUAGES[n % 3]}><head><meta charset=utf-8>\n"
        f"<title>Article {n}: \u00abtea &amp; <b>bread\u00bb</title>\n"
        f'<meta name=description content="About &quot;{n}&quot;">\n{head}</head>\n'
        f"<body><p>{text}</p>\n{''.join(_media(n))}</body></html>\n"
    ).encode()


def _rules(n: int) -> Iterator[str]:
    """What leaves a page out, for some pages."""
    if n % 17 == 0:
        yield '<meta name="robots" content="noindex">'
    if n % 19 == 0:
        yield f'<link rel=canonical href="/{_article_key(n + 1)}">'
    if n % 23 == 0:
        yield '<meta http-equiv=refresh content="0; url=/">'
    if n % 29 == 0:
        yield '<link rel=canonical href="https://other.example.net/">'


def _alternates(n: int) -> Iterator[str]:
    """The versions in other languages; some name themselves alone, some name a wrong page."""
    for m in range(n - n % 3, n - n % 3 + 3) if n % 13 else [n]:
        target = m + 3 if n % 31 == 0 else m
        yield f'<link rel=alternate hreflang={_LANGUAGES[m % 3]} href="/{_article_key(target)}">'
    if n % 3 == 0:
        yield f'<link rel=alternate hreflang=x-default href="/{_article_key(n)}">'


def _dates(n: int, now: int) -> Iterator[str]:
    """When the article was published: a minute before the article that precedes it."""
    published = datetime.fromtimestamp(now - 60 * (n + 1), UTC).isoformat()
    if n % 2:
        yield f'<meta property="article:published_time" content="{published}">'
    else:
        yield f'<script type="application/ld+json">{{"@type": "NewsArticle", "datePublished": "{published}"}}</script>'
    if n % 5 == 0:
        yield '<meta property="article:modified_time" content="2026-03-04T05:06:07+02:00">'


def _media(n: int) -> Iterator[str]:
    yield f'<img src="/images/{n}.jpg"><img src="images/a&amp;b {n}.png" srcset="s.png 100w, /l-{n}.png 900w">\n'
    if n % 4 == 0:
        yield f'<img src="https://cdn.example.net/{n}.webp"><img src="https://elsewhere.example.com/{n}.webp">\n'
    if n % 7 == 0:
        yield f'<video src="/videos/{n}.mp4" poster="/videos/{n}.jpg" title="Video {n}"></video>\n'
    if n % 11 == 0:
        yield (
            '<script type="application/ld+json">{"@type": "VideoObject", "name": "Tea & <bread>", "description": "How",'
            f' "thumbnailUrl": "/t/{n}.jpg", "embedUrl": "/player?v={n}&amp;x=1", "duration": "PT1M{n % 60}S",'
            ' "uploadDate": "2026-01-02", "isFamilyFriendly": false}</script>\n'
        )


def large(objects: int) -> Site:
    """Small pages of a catalogue, a wiki and a library with long names, so that sitemaps are cut by number and by size.

    Almost four in ten objects are pictures, which are no pages.
    """
    folders = "/".join(letter * 250 for letter in "abc")
    names = (
        *map(_product, range(objects * 30 // 100)),
        *map(_title, range(objects * 20 // 100)),
        *(f"library/{folders}/book-{n:07}.html" for n in range(objects * 13 // 100)),
    )
    pictures = (f"pictures/{n % 100:02}/{n:07}.jpg" for n in range(objects - len(names)))
    return {name: _page(name, 1) for name in names} | dict.fromkeys(pictures, b"JPEG")


def changed_large(objects: int, revision: int) -> Site:
    """One page in 500 with another text, and one in 500 more; a revision changes pages of its own."""
    numbers = range(revision, objects * 30 // 100, 150)
    changed = [_product(n) for n in numbers]
    added = [f"products/new-{revision}/{n:06}.html" for n in range(objects // 500)]
    return {name: _page(name, revision) for name in (*changed, *added)}


def deleted_large(objects: int, revision: int) -> list[str]:
    """The keys to delete: pages of the wiki, and in the first revision the catalogue's pages that begin a sitemap."""
    products = map(_product, range(objects * 30 // 100))
    starts = [key for key in products if begins_segment(key, _MAX_URLS)] if revision == 2 else []
    return [*starts, *(_title(n) for n in range(revision, objects * 20 // 100, 100))]


def _product(n: int) -> str:
    return f"products/{n**2 // 5_000_000:04}/{n:012}.html"


def _title(n: int) -> str:
    return f"wiki/{_TITLES[n % len(_TITLES)]}_{n:08x}.html"


def _page(name: str, revision: int) -> bytes:
    return f"<title>{name[-40:]}</title><p>Revision {revision}".encode()
