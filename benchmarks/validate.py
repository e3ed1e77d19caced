"""Measures `waypost validate` on one million URLs in 20 sitemaps, compared with readers that check nothing."""

import argparse
import json
import sys
import tempfile
from pathlib import Path

from measure import ROUNDS, WAYPOST, Report, Run, decision, median_run, run, say
from render import _files

from waypost.core.sitemap_rows import SitemapRows
from waypost.settings import output_names
from waypost.sitemaps.render import Renderer
from waypost.validate import SITEMAP_NAMESPACE

_BASE = "https://www.example.org/"
_READERS = str(Path(__file__).with_name("readers.py"))
_MOST_LXML, _LEAST_USP, _MOST_MEGABYTES = 2.0, 3.0, 150
_CHILDREN = 50_000
_NAMES = {
    "waypost": "`waypost validate FOLDER --url URL`: all rules, duplicates over all files",
    "lxml": "lxml's bare `etree.iterparse`, elements cleared: nothing checked",
    "usp": "ultimate-sitemap-parser, `sitemap_from_str` and `all_pages`: nothing checked",
}


def main() -> None:
    """Write the files, then run each way in turn, several rounds over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--urls", type=int, default=1_000_000)
    urls = parser.parse_args().urls
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = _written(folder / "million", urls)
        commands = {
            "waypost": [WAYPOST, "validate", str(folder / "million"), "--url", _BASE, "--json"],
            "lxml": [sys.executable, _READERS, "lxml", *files],
            "usp": [sys.executable, _READERS, "usp", *files],
        }
        rounds: dict[str, list[Run]] = {way: [] for way in commands}
        for n in range(ROUNDS):
            for way, command in commands.items():
                say(f"round {n + 1} of {ROUNDS}: {way}")
                rounds[way].append(run(command))
        _agree({way: runs[-1] for way, runs in rounds.items()}, urls)
        size = sum(Path(file).stat().st_size for file in files)
        extremes = _extremes(folder)
    _report({way: median_run(runs) for way, runs in rounds.items()}, extremes, urls, len(files), size).write()


def _written(folder: Path, urls: int) -> list[str]:
    """The files as Waypost writes them."""
    folder.mkdir()
    renderer, names = Renderer(), list[str]()
    for n, pages in enumerate(_files(urls)):
        path = folder / f"sitemap-{n:02}.xml"
        path.write_bytes(
            renderer.text("sitemap.xml.j2", urls=SitemapRows(pages), mark=output_names.MARK, stylesheet="")
        )
        names.append(str(path))
    return names


def _agree(runs: dict[str, Run], urls: int) -> None:
    """All ways must have read every URL, and Waypost have found nothing wrong, or the comparison says nothing."""
    answered = json.loads(runs["waypost"].output)
    counts = {
        "waypost": sum(file["entry_count"] for file in answered["files"]),
        **{way: int(runs[way].output) for way in ("lxml", "usp")},
    }
    if set(counts.values()) != {urls} or answered["error_count"] or answered["warning_count"]:
        raise SystemExit(f"the ways read different things: {counts}, {answered['counts']}")


def _extremes(folder: Path) -> dict[str, Run]:
    """The largest file and the largest index that the protocol allows."""
    path = folder / "large.xml"
    row = f"<url><loc>{_BASE}{{n:05}}/{'a' * 970}</loc></url>\n"
    path.write_text(
        f'<urlset xmlns="{SITEMAP_NAMESPACE}">\n{"".join(row.format(n=n) for n in range(49_999))}</urlset>\n'
    )
    say("a file of 50 MB")
    large = run([WAYPOST, "validate", str(path), "--url", _BASE])
    children = folder / "children"
    children.mkdir()
    for n in range(_CHILDREN):
        (children / f"{n}.xml").write_text(
            f'<urlset xmlns="{SITEMAP_NAMESPACE}"><url><loc>{_BASE}{n}</loc></url></urlset>'
        )
    listed = "".join(f"<sitemap><loc>{_BASE}{n}.xml</loc></sitemap>\n" for n in range(_CHILDREN))
    (children / "index.xml").write_text(f'<sitemapindex xmlns="{SITEMAP_NAMESPACE}">\n{listed}</sitemapindex>\n')
    say(f"an index with {_CHILDREN:,} sitemaps")
    index = run([WAYPOST, "validate", str(children / "index.xml"), "--url", f"{_BASE}index.xml"])
    return {"a file of 50 MB, 49,999 URLs": large, f"an index with {_CHILDREN:,} sitemaps": index}


def _report(runs: dict[str, Run], extremes: dict[str, Run], urls: int, files: int, size: int) -> Report:
    report = Report("validate", "Validating")
    report.text(f"{urls:,} URLs in {files} sitemaps of {size / 1e6:.0f} MB in all, as Waypost writes them.")
    waypost = runs["waypost"].seconds
    report.table(
        ["way", "s", "to Waypost's", "peak MB"],
        [
            [_NAMES[way], f"{each.seconds:.2f}", f"{each.seconds / waypost:.2f}", f"{each.megabytes:.0f}"]
            for way, each in runs.items()
        ],
    )
    report.text(f"Medians of {ROUNDS} rounds, each way in a process of its own, each round going through all ways.")
    report.table(
        ["`waypost validate` of", "s", "peak MB"],
        [[name, f"{each.seconds:.2f}", f"{each.megabytes:.0f}"] for name, each in extremes.items()],
    )
    to_lxml, to_usp = waypost / runs["lxml"].seconds, runs["usp"].seconds / waypost
    peak = max(each.megabytes for each in (runs["waypost"], *extremes.values()))
    report.table(
        ["target", "measured", ""],
        [
            [f"within {_MOST_LXML:g} times lxml's bare parse", f"{to_lxml:.2f}", decision(to_lxml, _MOST_LXML)],
            [
                f"{_LEAST_USP:g} times faster than ultimate-sitemap-parser",
                f"{to_usp:.2f}",
                decision(_LEAST_USP, to_usp),
            ],
            [f"under {_MOST_MEGABYTES} MB whatever is read", f"{peak:.0f}", decision(peak, _MOST_MEGABYTES)],
        ],
    )
    return report


if __name__ == "__main__":
    main()
