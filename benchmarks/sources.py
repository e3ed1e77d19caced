"""Measures how long it takes to find the sources of built pages: as many text files as pages, in one repository."""

import argparse
import tempfile
from pathlib import Path
from random import Random

import repositories
from measure import WAYPOST, Report, decision, run, say

_MOST_SECONDS, _MOST_MEGABYTES = 10.0, 500.0
_URL = "https://www.example.org/"
_MENU = "".join(f'<li><a href="/topic-{n}/">Topic number {n}</a></li>' for n in range(30))


def main() -> None:
    """Build a site of generated pages whose sources are tracked, and count the pages that get a date."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    pages = parser.parse_args().pages
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder, "project")
        say(f"writing {pages} pages and their sources")
        _write(project, pages)
        measured = run([WAYPOST, "build", str(project / "public"), "--base-url", _URL])
        dated = (project / "public" / "sitemap.xml").read_bytes().count(b"<lastmod>")
    _report(pages, dated, measured.seconds, measured.megabytes).write()


def _write(project: Path, pages: int) -> None:
    random = Random(5)
    words = ["".join(random.choices("abcdefghijklmnopqrstuvwxyz", k=random.randint(3, 9))) for _ in range(20_000)]
    built: dict[str, str] = {}
    files: dict[str, bytes] = {".gitignore": b"public/\n", "hugo.toml": b'title = "Generated"\n'}
    for n in range(pages):
        paragraphs = [" ".join(random.choices(words, k=random.randint(30, 90))) for _ in range(random.randint(4, 10))]
        path, title = f"topic-{n % 100}/page-{n}", f"Page {n} {words[n % len(words)]}"
        files[f"content/{path}.md"] = "\n\n".join([f"---\ntitle: {title}\n---", *paragraphs]).encode()
        built[f"public/{path}/index.html"] = _page(title, paragraphs)
    repositories.make_deployments(project, [files])
    for name, page in built.items():
        (project / name).parent.mkdir(parents=True)
        (project / name).write_text(page, encoding="utf-8")


def _page(title: str, paragraphs: list[str]) -> str:
    text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return (
        f'<!doctype html><html lang="en"><head><title>{title}</title></head><body><nav><ul>{_MENU}</ul></nav>'
        f"<main><h1>{title}</h1>{text}</main><footer><p>All rights reserved by nobody at all</p></footer></body></html>"
    )


def _report(pages: int, dated: int, seconds: float, megabytes: float) -> Report:
    report = Report("sources", "Finding the sources of built pages")
    report.text(
        "A repository holds a text file for each page; the built pages are not in it, and nothing is configured."
    )
    report.table(
        ["pages", "dated", "build, s", "target", "peak, MB", "target"],
        [
            [
                *(f"{pages:,}", f"{dated:,}"),
                *(f"{seconds:.1f}", decision(seconds, _MOST_SECONDS)),
                *(f"{megabytes:.0f}", decision(megabytes, _MOST_MEGABYTES)),
            ]
        ],
    )
    report.text(f"Targets: {_MOST_SECONDS:.0f} s and {_MOST_MEGABYTES:.0f} MB, for 10,000 pages on 2 cores.")
    return report


if __name__ == "__main__":
    main()
