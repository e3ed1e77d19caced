"""Rehearses a release without publishing anything: `make release-check`.

It builds everything twice, in this checkout and in a copy elsewhere, and compares the bytes. It installs the wheel and
unpacks the function's package elsewhere, and runs both. It checks that the versions and the changelog agree.
"""

import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import artifacts
from rehearsal import ROOT, RehearsalError, run
from try_function import try_function
from try_wheel import try_wheel
from version import major_tag, shown_repository, version

WHEELS = ROOT / ".venv" / "action-wheels"
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
ELSEWHERE = {"TZ": "Pacific/Auckland", "LC_ALL": "C", "PYTHONHASHSEED": "7", "SOURCE_DATE_EPOCH": "1700000000"}
"""What differs between the two builds, besides the folder, the times of the files and the permissions of new ones."""
_MENTION = re.compile(rf"{re.escape(shown_repository())}@(v[\d.]+)|^\s*rev: (v[\d.]+)", re.MULTILINE)


def main() -> int:
    """Take each step, and print how long it took."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        built = folder / "first"
        steps: tuple[tuple[str, Callable[[], None]], ...] = (
            ("the versions and the changelog agree", check_versions),
            ("two builds have the same bytes", lambda: build_twice(built, folder)),
            ("the wheel works where it is installed", lambda: try_wheel(built / "python", folder / "wheel")),
            ("the function's package works", lambda: try_function(built / "aws", folder / "function")),
        )
        for promise, step in steps:
            start = time.monotonic()
            try:
                step()
            except (RehearsalError, ValueError) as error:
                print(f"release-check: not true: {promise}\n{error}", file=sys.stderr)
                return 1
            print(f"{promise} ({time.monotonic() - start:.1f} s)", flush=True)
    return 0


def check_versions() -> None:
    """Check that the next release has notes, and that the documentation names the tags that it will have."""
    artifacts.release_notes("")
    tag = f"v{version()}"
    wrong = [f"{path}: {found}" for path, found in mentioned_tags() if found not in {tag, major_tag(tag)}]
    if wrong:
        raise RehearsalError(f"the version is {version()}, but other tags are named:\n" + "\n".join(wrong))


def mentioned_tags() -> Iterator[tuple[str, str]]:
    """The tags of Waypost that documents and code name, each with its file."""
    for name in files():
        if name.endswith((".md", ".py", ".j2", ".yml", ".yaml")) and name != "CHANGELOG.md":
            for action, revision in _MENTION.findall((ROOT / name).read_text(encoding="utf-8")):
                yield name, action or revision


def files() -> list[str]:
    """The files of the project: those that Git tracks, and those that it would."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = filter(None, run(*command).split("\0"))
    return [name for name in names if (ROOT / name).is_file()]


def build_twice(first: Path, folder: Path) -> None:
    """Build everything here and in a copy in `folder`, under other circumstances, and compare the files."""
    copy, second = folder / "copy", folder / "second"
    for name in files():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, copy / name)
    build(ROOT, first, os.environ)
    build(copy, second, {**os.environ, **ELSEWHERE}, umask=0o077)
    if different := sorted(set(contents(first).items()) ^ set(contents(second).items())):
        names = sorted({name for name, _ in different})
        raise RehearsalError(f"these files are not the same: {', '.join(names)}")


def build(project: Path, output: Path, environment: Mapping[str, str], umask: int = 0o022) -> None:
    """Build the artifacts of a copy of the project."""
    options = ["--output", str(output), "--python", PYTHON, "--wheels", str(WHEELS)]
    run(sys.executable, str(project / "release" / "artifacts.py"), *options, env=environment, umask=umask)


def contents(folder: Path) -> dict[str, bytes]:
    """The files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


if __name__ == "__main__":
    sys.exit(main())
