"""Makes repositories of the sites in `benchmarks/generator_sites`, each file committed at a time of its own."""

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from date_truth import words

_FIRST_COMMIT = 1_700_000_000
_BETWEEN_COMMITS = 90_061
_SETTINGS = ("-c", "init.defaultBranch=main", "-c", "core.autocrlf=false")


@dataclass(frozen=True)
class DatedRepository:
    """A repository with a project in it: `times` are the commit times of the tracked files, in Unix seconds.

    Paths are relative to `folder`. `texts` has the sources that have a marker, `withheld` those of them that are not
    in the repository.
    """

    folder: Path
    output: Path
    times: Mapping[str, int]
    texts: Mapping[str, str]
    withheld: frozenset[str]


def make_repository(
    folder: Path, source: Path, output: str, *, below: str = "", is_withheld: bool = False
) -> DatedRepository:
    """Make a repository of a site's source; `output` is where the built site goes, relative to the project.

    `below` is the project's folder in the repository. With `is_withheld`, half of the sources that have a marker are
    left out.
    """
    project = folder / below if below else folder
    files = {_path(path, source, below): path.read_bytes() for path in source.rglob("*") if path.is_file()}
    texts = {path: text for path, data in files.items() if words(text := data.decode("utf-8", "replace"))}
    withheld = frozenset(path for path in texts if is_withheld and _number(f"withheld {path}") % 2)
    files[".gitignore"] = f"/{(Path(below) / output).as_posix()}/\n".encode()
    times = commit_times(files)
    _import(folder, {path: data for path, data in files.items() if path not in withheld}, times)
    return DatedRepository(folder, project / output, times, texts, withheld)


def commit_times(paths: Mapping[str, object]) -> dict[str, int]:
    """A commit time for each file, each a day and more from the others, in an order that is not that of the paths."""
    return {path: _FIRST_COMMIT + n * _BETWEEN_COMMITS for n, path in enumerate(sorted(paths, key=_number))}


def _path(path: Path, source: Path, below: str) -> str:
    return (Path(below) / path.relative_to(source)).as_posix()


def _number(text: str) -> int:
    return int(sha256(text.encode()).hexdigest(), 16)


def _import(folder: Path, files: Mapping[str, bytes], times: Mapping[str, int]) -> None:
    """Commit each file in a commit of its own, and check all out."""
    _git(folder.parent, "init", "--quiet", str(folder))
    paths = sorted(files, key=lambda path: times[path])
    stream = b"".join(_commit(path, files[path], times[path]) for path in paths)
    _git(folder, "fast-import", "--quiet", "--done", stream=stream + b"done\n")
    _git(folder, "reset", "--quiet", "--hard", "main")


def _commit(path: str, data: bytes, when: int) -> bytes:
    head = f"commit refs/heads/main\ncommitter Example <example@example.org> {when} +0000\ndata 6\nchange\n"
    return f"{head}M 100644 inline {path}\ndata {len(data)}\n".encode() + data + b"\n"


def _git(folder: Path, *arguments: str, stream: bytes = b"") -> None:
    subprocess.run(["git", *_SETTINGS, "-C", str(folder), *arguments], input=stream, check=True, capture_output=True)
