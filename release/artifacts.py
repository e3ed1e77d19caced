"""Builds what a release consists of: wheel, sdist, what the Lambda function needs, notes and checksums.

Usage: artifacts.py --output FOLDER [--tag v1.2.3] [--python 3.13] [--wheels FOLDER]. With --tag, the version and the
changelog must have the tag's version. Without it, the notes are those of the next release.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

import changelog
from bill_of_materials import bill_of_materials
from version import ROOT, repository, version

PACKAGE = "waypost-lambda.zip"
MATERIALS = "waypost-lambda.cdx.json"


def main() -> int:
    """Build everything into a new folder: python/ for PyPI, aws/ for the function, notes.md and SHA256SUMS."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True, help="a folder, which is replaced")
    parser.add_argument("--tag", default="", help="the tag of the release")
    parser.add_argument("--python", default="3.13", help="the Python version of the function's runtime")
    parser.add_argument("--wheels", type=Path, help="a folder of wheels to install from, without a network")
    arguments = parser.parse_args()
    try:
        notes = release_notes(arguments.tag)
    except ValueError as error:
        parser.error(str(error))
    shutil.rmtree(arguments.output, ignore_errors=True)
    build_distributions(arguments.output / "python")
    build_function(arguments.output / "aws", arguments.python, arguments.wheels)
    (arguments.output / "notes.md").write_text(notes, encoding="utf-8")
    (arguments.output / "SHA256SUMS").write_text(checksums(arguments.output), encoding="utf-8")
    return 0


def release_notes(tag: str) -> str:
    """The notes of the release with this tag, or of the next one; raises ValueError if tag and files disagree."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if not tag:
        return changelog.notes(text, changelog.UNRELEASED, repository())
    if tag != f"v{version()}":
        raise ValueError(f"the tag is {tag}, but the version in src/waypost/__init__.py is {version()}")
    notes = changelog.notes(text, version(), repository(), tag)
    if not repository():
        raise ValueError("src/waypost/__init__.py has no REPOSITORY: write owner/name, and run docs/generate.py")
    return notes


def build_distributions(folder: Path) -> None:
    """Build the sdist, and the wheel from the sdist, with the same times for their files wherever that is done."""
    environment = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)


def build_function(folder: Path, python: str, wheels: Path | None) -> None:
    """Build the function's package, and add what it contains, the template that names it, and the state machine."""
    folder.mkdir(parents=True)
    source = ["--wheels", str(wheels)] if wheels else []
    with tempfile.TemporaryDirectory() as build:
        command = [sys.executable, str(ROOT / "lambda" / "package.py"), "--python", python, "--output", build, *source]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        shutil.copy(Path(build) / PACKAGE, folder)
    (folder / MATERIALS).write_text(bill_of_materials(folder / PACKAGE, version()), encoding="utf-8")
    template = (ROOT / "infra" / "template.yaml").read_text(encoding="utf-8")
    (folder / "template.yaml").write_text(template.replace("../build/lambda/", PACKAGE), encoding="utf-8")
    shutil.copy(ROOT / "infra" / "rebuild.asl.json", folder)


def checksums(folder: Path) -> str:
    """The files for the release page in the form that `sha256sum --check` reads, without their folders."""
    files = sorted((*(folder / "python").iterdir(), *(folder / "aws").iterdir()), key=lambda file: file.name)
    return "".join(f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)


if __name__ == "__main__":
    sys.exit(main())
