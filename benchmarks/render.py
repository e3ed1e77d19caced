"""One million URLs into sitemaps from memory: Waypost's renderer, a plain loop, gzip and the check side by side."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from random import Random
from statistics import median
from unittest.mock import patch

from measure import ROUNDS, Report, decision, say, seconds_of

from waypost.core.dates import format_unix_time
from waypost.core.gzip import compress
from waypost.core.model import Document, Page
from waypost.core.sitemap_rows import SitemapRows
from waypost.settings import output_names
from waypost.settings.schema import LIMITS
from waypost.sitemaps.render import Renderer
from waypost.validate import SITEMAP_NAMESPACE, check_document

_A_FILE = 50_000
_MOST_RATIO, _MOST_GZIP, _MOST_CHECK = 1.3, 0.5, 1 / 3
_HEAD = f'<?xml version="1.0" encoding="UTF-8"?>\n{output_names.MARK}\n<urlset xmlns="{SITEMAP_NAMESPACE}">\n'
_TAIL = "</urlset>\n"
_WORDS = ("guides", "reference", "releases", "harbours", "lanterns", "engines", "letters", "orchards", "bridges")
_AWKWARD = ("q&a", "what's-new", "caf%C3%A9", "r&d-team's-notes")


def main() -> None:
    """Measure each way in turn, several rounds over, on the same pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--urls", type=int, default=1_000_000)
    files = list(_files(parser.parse_args().urls))
    renderer = Renderer()

    def render(pages: Sequence[Page]) -> bytes:
        return renderer.text("sitemap.xml.j2", urls=SitemapRows(pages), mark=output_names.MARK, stylesheet="")

    bodies = [render(pages) for pages in files]
    _agree(files, bodies)
    documents = [Document("sitemap.xml", "sitemap", body, "https://www.example.org/sitemap.xml") for body in bodies]
    urls = [SitemapRows(pages) for pages in files]
    times = _times(
        {
            "replace": lambda: [_by_replace(pages) for pages in files],
            "waypost": lambda: [render(pages) for pages in files],
            "isal": lambda: [compress(body) for body in bodies],
            "zlib": lambda: _without_isal(bodies),
            "check": lambda: _check(documents, urls),
        }
    )
    _report(times, bodies).write()


def _files(urls: int) -> Iterator[list[Page]]:
    """Pages as in a build: some locs have characters that XML must escape, and a few pages have no date."""
    random = Random(2)
    for start in range(0, urls, _A_FILE):
        yield [_page(n, random) for n in range(start, min(start + _A_FILE, urls))]


def _page(n: int, random: Random) -> Page:
    folder = random.choice(_AWKWARD) if random.random() < 0.05 else random.choice(_WORDS)
    key = f"{folder}/{random.choice(_WORDS)}/topic-{n // 400:05}/page-{n:07}.html"
    when = None if random.random() < 0.02 else format_unix_time(1_600_000_000 + random.randrange(20_000) * 7_919)
    return Page(key, f"https://www.example.org/{key}", lastmod=when)


def _by_replace(pages: Sequence[Page]) -> bytes:
    """A plain loop, one line a page: the fastest that escapes each loc by itself."""
    lines = [_HEAD]
    for page in pages:
        loc = page.loc.replace("&", "&amp;").replace("'", "&apos;").replace('"', "&quot;")
        loc = loc.replace("<", "&lt;").replace(">", "&gt;")
        lastmod = f"<lastmod>{page.lastmod}</lastmod>" if page.lastmod else ""
        changefreq = f"<changefreq>{page.changefreq}</changefreq>" if page.changefreq else ""
        priority = f"<priority>{page.priority}</priority>" if page.priority else ""
        lines.append(f"<url><loc>{loc}</loc>{lastmod}{changefreq}{priority}</url>\n")
    lines.append(_TAIL)
    return "".join(lines).encode()


def _check(documents: Sequence[Document], urls: Sequence[SitemapRows]) -> None:
    for document, each in zip(documents, urls, strict=True):
        check_document(document, each, LIMITS["strict"], is_own=True)


def _without_isal(bodies: Sequence[bytes]) -> list[bytes]:
    with patch.dict(sys.modules, {"isal": None}):
        return [compress(body) for body in bodies]


def _agree(files: Sequence[Sequence[Page]], bodies: Sequence[bytes]) -> None:
    """Stop if the two ways do not give the same bytes: then a comparison would be meaningless."""
    for pages, body in zip(files, bodies, strict=True):
        if body != _by_replace(pages):
            raise SystemExit("the loop and the renderer give different bytes")


def _times(ways: dict[str, Callable[[], object]]) -> dict[str, float]:
    rounds: dict[str, list[float]] = {name: [] for name in ways}
    for n in range(ROUNDS):
        say(f"round {n + 1} of {ROUNDS}")
        for name, work in ways.items():
            rounds[name].append(seconds_of(work))
    return {name: median(seconds) for name, seconds in rounds.items()}


def _report(times: dict[str, float], bodies: Sequence[bytes]) -> Report:
    size = sum(map(len, bodies))
    fast = sum(len(compress(body)) for body in bodies)
    slow = sum(map(len, _without_isal(bodies)))
    waypost = times["waypost"]
    report = Report("render", "Rendering from memory")
    report.text(f"{len(bodies)} sitemaps of {size / 1e6:.0f} MB in all; every way gives the same bytes.")
    report.table(
        ["way", "s", "to Waypost's", "MB"],
        [
            [name, f"{times[way]:.2f}", f"{times[way] / waypost:.2f}", f"{made / 1e6:.1f}"]
            for name, way, made in (
                ("plain f-string loop, five `str.replace` inline", "replace", size),
                ("Waypost's renderer (Jinja)", "waypost", size),
                ("gzip added, isal level 1", "isal", fast),
                ("gzip added, zlib level 6", "zlib", slow),
                ("check added (`waypost.validate`)", "check", size),
            )
        ],
    )
    report.text(f"Medians of {ROUNDS} rounds in one process, each round going through all ways.")
    ratio, gzip = waypost / times["replace"], times["isal"] / waypost
    check = times["check"] / waypost
    report.table(
        ["target", "measured", ""],
        [
            [f"rendering within {_MOST_RATIO} times the fastest loop", f"{ratio:.2f}", decision(ratio, _MOST_RATIO)],
            ["gzip by isal adds under half of rendering", f"{gzip:.0%}", decision(gzip, _MOST_GZIP)],
            ["the check adds under a third of rendering", f"{check:.0%}", decision(check, _MOST_CHECK)],
        ],
    )
    return report


if __name__ == "__main__":
    main()
