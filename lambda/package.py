"""Builds the Lambda function's package: the folder build/lambda and the reproducible build/waypost-lambda.zip.

The package runs on arm64 and x86-64, because the file name of a compiled module contains its platform. Lambda's
runtime provides boto3. Usage: package.py [--python 3.13] [--wheels FOLDER] [--add FILE_OR_FOLDER]...
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLATFORMS = {"x86_64": "x86-64", "aarch64": "arm64"}
_EXCLUDED = ("__pycache__", "bin", "RECORD", "INSTALLER", "REQUESTED", "*.pyi", "*.pyc", "tests", "py.typed")
_NOT_USED = ("markdown-it-py", "mdurl", "pyyaml")
"""Requirements of the Action that the function does not use: it reads no history of Markdown, and no Jekyll site."""
_FILE_TIME = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip file can store (APPNOTE.TXT, 4.4.6)."""


def main() -> None:
    """Build the package and print its size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default="3.13", help="the Python version of the runtime")
    parser.add_argument("--wheels", type=Path, help="a folder of wheels to install from, without a network")
    parser.add_argument("--output", type=Path, default=ROOT / "build")
    parser.add_argument("--add", type=Path, action="append", default=[], help="another file or folder to include")
    arguments = parser.parse_args()
    if missing := [str(path) for path in arguments.add if not path.exists()]:
        parser.error(f"--add: not found: {', '.join(missing)}")
    folder, package = arguments.output / "lambda", arguments.output / "waypost-lambda.zip"
    shutil.rmtree(folder, ignore_errors=True)
    for platform in PLATFORMS:
        add_requirements(folder, platform, arguments.python, arguments.wheels)
    add_waypost(folder, arguments.add)
    write_zip(folder, package)
    unpacked = sum(path.stat().st_size for path in files(folder))
    print(f"{folder}: {unpacked / 1e6:.1f} MB; {package}: {package.stat().st_size / 1e6:.1f} MB")
    print(f"for Python {arguments.python} on {' and '.join(PLATFORMS.values())}")


def add_requirements(folder: Path, platform: str, python: str, wheels: Path | None) -> None:
    """Add the locked requirements for a platform to the folder."""
    staging = folder.with_name(f"lambda-{platform}")
    shutil.rmtree(staging, ignore_errors=True)
    source = ["--no-index", "--find-links", str(wheels)] if wheels else []
    options = ["--quiet", "--disable-pip-version-check", "--no-compile", "--no-deps", "--require-hashes", *source]
    target = ["--only-binary", ":all:", "--implementation", "cp", "--python-version", python, "--target", str(staging)]
    target += ["--platform", f"manylinux2014_{platform}", "--platform", f"manylinux_2_28_{platform}"]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(requirements())
        file.flush()
        command = ["-m", "pip", "install", *options, *target, "--requirement", file.name]
        subprocess.run([sys.executable, *command], check=True)
    shutil.copytree(staging, folder, ignore=shutil.ignore_patterns(*_EXCLUDED), dirs_exist_ok=True)
    shutil.rmtree(staging)


def requirements() -> str:
    """The Action's locked requirements without those that the function does not use, and the function's own."""
    locked = [(ROOT / folder / "requirements.txt").read_text(encoding="utf-8") for folder in ("action", "lambda")]
    entries = re.split(r"^(?=\S)", "".join(locked), flags=re.MULTILINE)
    return "".join(entry for entry in entries if entry.partition("==")[0] not in _NOT_USED)


def add_waypost(folder: Path, added: list[Path]) -> None:
    """Add Waypost, its templates, the handler, and the files and folders in `added`."""
    ignored = shutil.ignore_patterns(*_EXCLUDED)
    shutil.copytree(ROOT / "src" / "waypost", folder / "waypost", ignore=ignored)
    shutil.copytree(ROOT / "templates", folder / "waypost" / "templates", ignore=ignored)
    for path in (ROOT / "lambda" / "handler.py", *added):
        if path.is_dir():
            shutil.copytree(path, folder / path.name, ignore=ignored)
        else:
            shutil.copy(path, folder / path.name)


def write_zip(folder: Path, package: Path) -> None:
    """Zip a folder's files in the order of their names, with the same time and mode for each."""
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(files(folder)):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), _FILE_TIME)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())


def files(folder: Path) -> Iterator[Path]:
    """All files in a folder and its subfolders."""
    return (path for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    main()
