"""Builds the function's package: build/lambda, and build/waypost-lambda.zip, the same bytes wherever it is built.

One package runs on arm64 and on x86-64: compiled modules carry their platform in their names. boto3 is the
runtime's own. Usage: package.py [--python 3.13] [--wheels FOLDER] [--add FILE_OR_FOLDER]...
"""

import argparse
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLATFORMS = {"x86_64": "x86-64", "aarch64": "arm64"}
_LEFT_OUT = ("__pycache__", "bin", "RECORD", "INSTALLER", "REQUESTED", "*.pyi", "*.pyc", "tests", "py.typed")
_THEN = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip file can tell (APPNOTE.TXT, 4.4.6)."""


def main() -> None:
    """Build, and say how large it became."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default="3.13", help="the runtime's version of Python")
    parser.add_argument("--wheels", type=Path, help="a folder of wheels, to need no network")
    parser.add_argument("--output", type=Path, default=ROOT / "build")
    parser.add_argument("--add", type=Path, action="append", default=[], help="a waypost.toml, a folder of templates")
    given = parser.parse_args()
    if missing := [str(path) for path in given.add if not path.exists()]:
        parser.error(f"there is no {', '.join(missing)} to add")
    folder, package = given.output / "lambda", given.output / "waypost-lambda.zip"
    shutil.rmtree(folder, ignore_errors=True)
    for platform in PLATFORMS:
        add_requirements(folder, platform, given.python, given.wheels)
    add_own(folder, given.add)
    write_zip(folder, package)
    unpacked = sum(path.stat().st_size for path in files(folder))
    print(f"{folder}: {unpacked / 1e6:.1f} MB; {package}: {package.stat().st_size / 1e6:.1f} MB")
    print(f"for Python {given.python} on {' and '.join(PLATFORMS.values())}")


def add_requirements(folder: Path, platform: str, python: str, wheels: Path | None) -> None:
    """Install the locked requirements for a platform, beside those for another."""
    staged = folder.with_name(f"lambda-{platform}")
    shutil.rmtree(staged, ignore_errors=True)
    source = ["--no-index", "--find-links", str(wheels)] if wheels else []
    options = ["--quiet", "--disable-pip-version-check", "--no-compile", "--no-deps", "--require-hashes", *source]
    target = ["--only-binary", ":all:", "--implementation", "cp", "--python-version", python, "--target", str(staged)]
    target += ["--platform", f"manylinux2014_{platform}", "--platform", f"manylinux_2_28_{platform}"]
    requirements = ["--requirement", str(ROOT / "action" / "requirements.txt")]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, *target, *requirements], check=True)
    shutil.copytree(staged, folder, ignore=shutil.ignore_patterns(*_LEFT_OUT), dirs_exist_ok=True)
    shutil.rmtree(staged)


def add_own(folder: Path, added: list[Path]) -> None:
    """Waypost itself, its templates, the handler, and what the user adds."""
    ignored = shutil.ignore_patterns(*_LEFT_OUT)
    shutil.copytree(ROOT / "src" / "waypost", folder / "waypost", ignore=ignored)
    shutil.copytree(ROOT / "templates", folder / "waypost" / "templates", ignore=ignored)
    for path in (ROOT / "lambda" / "handler.py", *added):
        if path.is_dir():
            shutil.copytree(path, folder / path.name, ignore=ignored)
        else:
            shutil.copy(path, folder / path.name)


def write_zip(folder: Path, package: Path) -> None:
    """Zip a folder's files in the order of their names, without times or owners."""
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(files(folder)):
            about = zipfile.ZipInfo(path.relative_to(folder).as_posix(), _THEN)
            about.external_attr = 0o644 << 16
            about.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(about, path.read_bytes())


def files(folder: Path) -> Iterator[Path]:
    """All files below a folder."""
    return (path for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    main()
