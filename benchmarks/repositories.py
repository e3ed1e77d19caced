"""Makes Git repositories for benchmarks with one `git fast-import`; the same seed gives the same commits."""

import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import IO, NamedTuple

_FIRST_COMMIT = 1_600_000_000
_BETWEEN_COMMITS = 40_000
_MERGED = 0.05
"""The share of steps in the history that are a side branch and its merge, which are three commits."""
_SETTINGS = ("-c", "init.defaultBranch=main", "-c", "core.autocrlf=false")
_WORDS = (
    *("signal", "harbour", "lantern", "meadow", "copper", "window", "river", "letter", "garden", "engine", "paper"),
    *("market", "thunder", "bridge", "compass", "shelter", "orchard", "anchor", "valley", "timber", "kettle"),
)


class Commit(NamedTuple):
    """One commit: its mark, its parents' marks, and the files it sets."""

    mark: int
    parents: tuple[int, ...]
    files: Iterable[tuple[str, bytes]]


def make(folder: Path, pages: int, commits: int, seed: int = 2) -> None:
    """Make a repository with that many HTML pages in nested folders and exactly that many commits, checked out."""
    random = Random(seed)
    _import(folder, _history([_path(n) for n in range(pages)], commits, _Writer(random), random))


def _import(folder: Path, commits: Iterable[Commit]) -> None:
    _git(folder.parent, "init", "--quiet", str(folder))
    command = ["git", "-C", str(folder), "fast-import", "--quiet", "--done"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as importer:
        if importer.stdin is not None:
            for commit in commits:
                _write(importer.stdin, commit)
            importer.stdin.write(b"done\n")
            importer.stdin.close()
    if importer.returncode:
        raise SystemExit(f"git fast-import failed in {folder}")
    _git(folder, "reset", "--quiet", "--hard", "main")


class _Writer:
    """Writes pages of a few KB; the order of their paragraphs differs from page to page."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._paragraphs = [f"<p>{' '.join(random.choices(_WORDS, k=50))}.</p>" for _ in range(2_000)]

    def page(self, path: str) -> bytes:
        name, text = path.rpartition("/")[2], "\n".join(self._random.choices(self._paragraphs, k=8))
        scripts = "\n".join(f'<script defer src="/assets/part-{n}.js"></script>' for n in range(4))
        return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{name}, revision {self._random.getrandbits(32):x}</title>
<meta name="description" content="{" ".join(self._random.choices(_WORDS, k=16))}">
<meta property="og:type" content="article">
<link rel="stylesheet" href="/assets/site.css">
<link rel="canonical" href="https://www.example.org/{path}">
{scripts}
</head>
<body>
<nav><a href="/">Home</a> <a href="/about.html">About</a></nav>
<main>
<h1>{name}</h1>
{text}
</main>
</body>
</html>
""".encode()

    def pages(self, paths: Iterable[str]) -> dict[str, bytes]:
        return {path: self.page(path) for path in paths}


def _path(n: int) -> str:
    """A path two to four folders deep, with about forty pages in a folder."""
    folder = n // 40
    deeper = f"part-{folder % 7}/" if folder % 3 else ""
    deepest = "archive/" if folder % 5 == 0 else ""
    return f"section-{folder % 23:02}/topic-{folder:04}/{deeper}{deepest}page-{n:06}.html"


def _history(paths: Sequence[str], commits: int, writer: _Writer, random: Random) -> Iterator[Commit]:
    """All pages first, then changes of each page (once on average), some on side branches that are merged."""
    most = max(3, 2 * len(paths) // commits)

    def changed_pages() -> dict[str, bytes]:
        return writer.pages(random.choices(paths, k=random.randint(1, most)))

    yield Commit(1, (), ((path, writer.page(path)) for path in paths))
    head = 1
    while head < commits:
        if random.random() < _MERGED and head + 3 <= commits:
            yield from _branch(head, changed_pages(), changed_pages(), writer)
            head += 3
        else:
            yield Commit(head + 1, (head,), changed_pages().items())
            head += 1


def _branch(head: int, ours: dict[str, bytes], theirs: dict[str, bytes], writer: _Writer) -> Iterator[Commit]:
    """Two commits on one parent that both change one page, and a merge that gives that page another text."""
    conflicting = next(iter(theirs))
    yield Commit(head + 1, (head,), theirs.items())
    yield Commit(head + 2, (head,), (ours | writer.pages([conflicting])).items())
    merged = writer.pages([conflicting, *(path for path in theirs if path in ours)])
    yield Commit(head + 3, (head + 2, head + 1), (theirs | merged).items())


def _write(stream: IO[bytes], commit: Commit) -> None:
    when = _FIRST_COMMIT + _BETWEEN_COMMITS * commit.mark
    lines = ["commit refs/heads/main", f"mark :{commit.mark}", f"committer Bench <bench@example.org> {when} +0000"]
    lines += ["data 0", *(f"{word} :{mark}" for word, mark in zip(("from", "merge"), commit.parents, strict=False))]
    stream.write("\n".join(lines).encode() + b"\n")
    for path, content in commit.files:
        stream.write(f"M 100644 inline {path}\ndata {len(content)}\n".encode() + content + b"\n")


def _git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(folder), *_SETTINGS, *arguments], check=True)
