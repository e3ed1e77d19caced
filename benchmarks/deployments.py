"""Measures the dates of branches of built pages: each deployment writes all pages, and changes the text of three."""

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import repositories
from measure import WAYPOST, Report, decision, run, say

from waypost.core.dates import format_unix_time

_MOST_SECONDS = 60.0
_CHANGED = 3
_LASTMOD = "{http://www.sitemaps.org/schemas/sitemap/0.9}lastmod"
_LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
_URL = "https://www.example.org/"


class Branch:
    """The pages of one deployment after the other; `changed_at` is the deployment that changed each page's own text."""

    def __init__(self, pages: int, *, menu_grows: bool, copies: bool) -> None:
        self._random = Random(2)
        self._menu_grows, self._copies = menu_grows, copies
        self._texts = {f"topic-{n % 20}/page-{n:04}.html": self._text() for n in range(pages)}
        self.changed_at = dict.fromkeys(self._texts, 0)
        self._deployment = 0

    def deploy(self) -> dict[str, bytes]:
        """All pages of the next deployment."""
        if self._deployment:
            for path in self._random.sample(sorted(self._texts), _CHANGED):
                self._texts[path] = self._new_text(path)
                self.changed_at[path] = self._deployment
        built = {path: self._page(path, text).encode() for path, text in self._texts.items()}
        self._deployment += 1
        return built

    def _text(self) -> str:
        paragraphs = (" ".join(self._random.choices(repositories.WORDS, k=60)) for _ in range(6))
        return "\n".join(f"<p>{paragraph}.</p>" for paragraph in paragraphs)

    def _new_text(self, path: str) -> str:
        if self._copies:
            return self._random.choice([text for text in self._texts.values() if text != self._texts[path]])
        return self._text()

    def _page(self, path: str, text: str) -> str:
        entries = 1 + self._deployment // 10 if self._menu_grows else 12
        menu = "".join(f'<li><a href="/topic-{n}/">Topic {n}</a></li>' for n in range(entries))
        return (
            f"<!doctype html><html><head><title>{path}</title>"
            f'<link rel="stylesheet" href="/assets/site.{self._deployment:08x}.css"></head>\n'
            f"<body><!-- built by deployment {self._deployment} --><header>Version 1.{self._deployment}</header>\n"
            f"<nav><ul>{menu}</ul></nav>\n<main>{text}</main>\n"
            f'<script src="/assets/site.{self._deployment:08x}.js"></script></body></html>\n'
        )


def main() -> None:
    """Measure each kind of branch."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--deployments", type=int, default=300)
    chosen = parser.parse_args()
    kinds: dict[str, Callable[[], Branch]] = {
        "a stamp and a version in each page": lambda: Branch(chosen.pages, menu_grows=False, copies=False),
        "the same, and a menu that grows": lambda: Branch(chosen.pages, menu_grows=True, copies=False),
        "the same as the first; changed pages copy other pages' text": lambda: Branch(
            chosen.pages, menu_grows=False, copies=True
        ),
    }
    rows = [_row(name, make(), chosen.deployments) for name, make in kinds.items()]
    report = Report("deployments", f"Dates of {chosen.pages} built pages after {chosen.deployments} deployments")
    head = ["branch", "dates right", "with `bytes`", "build, s", "with `bytes`, s", "peak, MB", "target"]
    report.table(head, rows)
    report.text(f'Target: at most {_MOST_SECONDS:.0f} s, and every date right. `bytes` is `significance = "bytes"`.')
    report.write()


def _row(name: str, branch: Branch, deployments: int) -> list[object]:
    say(name)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "site")
        repositories.make_deployments(folder, (branch.deploy() for _ in range(deployments)))
        rights, runs = [], []
        for significance in ("main", "bytes"):
            output = Path(scratch, significance)
            arguments = ["--base-url", _URL, "--output", str(output), "--set", f"significance={significance}"]
            runs.append(run([WAYPOST, "build", str(folder), *arguments]))
            rights.append(_right(output / "sitemap.xml", branch))
    main, by_bytes = runs
    pages = len(branch.changed_at)
    target = decision(main.seconds, _MOST_SECONDS) if rights[0] == pages else "**missed**"
    counts = [f"{right} of {pages}" for right in rights]
    return [name, *counts, f"{main.seconds:.1f}", f"{by_bytes.seconds:.1f}", f"{main.megabytes:.0f}", target]


def _right(sitemap: Path, branch: Branch) -> int:
    """How many pages have the date of the deployment that changed their own text."""
    written = {
        url.findtext(_LOC, "").removeprefix(_URL): url.findtext(_LASTMOD)
        for url in ElementTree.fromstring(sitemap.read_bytes())
    }
    dates = {path: format_unix_time(repositories.commit_time(1 + n)) for path, n in branch.changed_at.items()}
    return sum(written.get(path) == date for path, date in dates.items())


if __name__ == "__main__":
    main()
