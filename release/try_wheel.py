"""Installs the wheel from an index into an environment with only what it declares, and runs its command there."""

import os
import shutil
import sys
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement
from rehearsal import EXAMPLE, RehearsalError, expect, run
from version import version


def try_wheel(built: Path, folder: Path) -> None:
    """Install the only wheel in the folder `built`, and build and check the sitemaps of the example site with it."""
    (wheel,) = built.glob("*.whl")
    expect(sorted(path.name for path in built.iterdir()), file_names(), "the content of the folder for PyPI")
    environment, site = folder / "environment", folder / "site"
    run(sys.executable, "-m", "venv", "--without-pip", str(environment))
    python, command = str(environment / "bin" / "python"), str(environment / "bin" / "waypost")
    index = as_index(wheel, folder / "index")
    options = ("--quiet", "--disable-pip-version-check", "--no-deps", "--index-url", index)
    no_other_index = {**os.environ, "PIP_CONFIG_FILE": os.devnull, "PIP_EXTRA_INDEX_URL": "", "PIP_FIND_LINKS": ""}
    command_line = (sys.executable, "-m", "pip", "--python", python, "install", *options, f"waypost=={version()}")
    run(*command_line, env=no_other_index)
    packages = next((environment / "lib").glob("python*/site-packages"))
    copy_requirements(packages)
    expect(run(command, "--version", cwd=folder), f"waypost {version()}\n", "the version of the command")
    shutil.copytree(EXAMPLE, site, symlinks=True)
    run(command, "build", "public", "--set", "lastmod=none", cwd=site)
    run(command, "build", "public", "--set", "lastmod=none", "--check", cwd=site)
    run(command, "validate", "public", "--url", "https://garden.example/", "--against", "public", cwd=site)


def as_index(wheel: Path, folder: Path) -> str:
    """The address of a package index that has only this wheel (PEP 503, "Simple Repository API")."""
    place = folder / "waypost"
    place.mkdir(parents=True)
    shutil.copy(wheel, place)
    (place / "index.html").write_text(f'<!doctype html><a href="{wheel.name}">{wheel.name}</a>', encoding="utf-8")
    return folder.as_uri()


def file_names() -> list[str]:
    """The names of the wheel and of the sdist of this version."""
    return [f"waypost-{version()}-py3-none-any.whl", f"waypost-{version()}.tar.gz"]


def copy_requirements(packages: Path) -> None:
    """Copy the packages that the installed wheel requires, and those that they require, from this environment.

    So the wheel is tried without a network, with the tested versions, and without any package that it does not declare.
    Raises RehearsalError if the tested version is not one that it allows.
    """
    (installed,) = distributions(path=[str(packages)])
    pending, seen = needed(installed), set[str]()
    while pending:
        requirement = pending.pop()
        if requirement.name in seen:
            continue
        seen.add(requirement.name)
        found = distribution(requirement.name)
        if not requirement.specifier.contains(found.version, prereleases=True):
            raise RehearsalError(f"{requirement} does not allow the tested version, {found.version}")
        copy_files(found, packages)
        pending += needed(found)


def needed(installed: Distribution) -> list[Requirement]:
    """What a package requires on this machine, without its extras."""
    requirements = map(Requirement, installed.requires or [])
    return [each for each in requirements if each.marker is None or each.marker.evaluate({"extra": ""})]


def copy_files(installed: Distribution, packages: Path) -> None:
    """Copy a package's files, except its commands."""
    for file in installed.files or []:
        if ".." not in file.parts and "__pycache__" not in file.parts:
            (packages / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file.locate(), packages / file)
