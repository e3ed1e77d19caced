"""Installs the wheel into a new environment that has only the packages that it declares, and runs its command there."""

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
    options = ("--quiet", "--disable-pip-version-check", "--no-deps", "--no-index")
    run(sys.executable, "-m", "pip", "--python", python, "install", *options, str(wheel))
    packages = next((environment / "lib").glob("python*/site-packages"))
    copy_requirements(packages)
    expect(run(command, "--version", cwd=folder), f"waypost {version()}\n", "the version of the command")
    shutil.copytree(EXAMPLE, site, symlinks=True)
    run(command, "build", "public", "--set", "lastmod=none", cwd=site)
    run(command, "build", "public", "--set", "lastmod=none", "--check", cwd=site)
    run(command, "validate", "public", "--url", "https://garden.example/", "--against", "public", cwd=site)


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
