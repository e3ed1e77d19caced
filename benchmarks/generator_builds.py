"""Installs generators, and builds the sites of `generator_sites` with them."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, convert, to_builtins

SITES = Path(__file__).with_name("generator_sites")
_SOURCE_TIME = 1_775_000_000
"""The time of every source file, so that dates from files are the same in each build."""
_CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
_VARIABLES = {
    "ASTRO_TELEMETRY_DISABLED": "1",
    "DO_NOT_TRACK": "1",
    **{f"GIT_{person}_NAME": "Example" for person in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{person}_EMAIL": "example@example.org" for person in ("AUTHOR", "COMMITTER")},
    "LC_ALL": "C.UTF-8",
    "NEXT_TELEMETRY_DISABLED": "1",
    "SOURCE_DATE_EPOCH": str(_SOURCE_TIME),
    "TZ": "UTC",
}
Commands = Sequence[Sequence[str]]


class Generator(Struct, frozen=True, forbid_unknown_fields=True):
    """A generator: its packages, the commands that build a site, and the folder to which they write."""

    commands: list[list[str]]
    output: str
    pypi: list[str] = []
    npm: dict[str, str] = {}
    debian: list[str] = []


class GeneratorSite(Struct, frozen=True):
    """A site of `generator_sites`, and how it is built."""

    name: str
    base_url: str
    generator_name: str
    generator: Generator
    commands: list[list[str]]
    output: str


class BuildError(Exception):
    """A generator could not be installed, or could not build a site."""


def read_sites() -> list[GeneratorSite]:
    """Every site of `sites.toml`; raises msgspec.ValidationError for a wrong table."""
    generators = convert(_table()["generators"], dict[str, Generator])
    return [_site(name, values, generators) for name, values in _table()["sites"].items()]


def _table() -> dict[str, Any]:
    return tomllib.loads((SITES / "sites.toml").read_text(encoding="utf-8"))


def _site(name: str, values: Mapping[str, Any], generators: Mapping[str, Generator]) -> GeneratorSite:
    generator = generators[values["generator"]]
    commands, output = values.get("commands", generator.commands), values.get("output", generator.output)
    return GeneratorSite(name, values["base_url"], values["generator"], generator, commands, output)


class Tools:
    """The folder of the generators; each is installed when it is first used, and again if its versions change."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.absolute()

    def build(self, site: GeneratorSite) -> Path:
        """Build a site; returns the folder with its output. Raises BuildError."""
        home = self._folder / site.generator_name
        self._install(home, site.generator)
        work = home / "sites" / site.name
        _copy_source(SITES / site.name, work)
        self._run_all(site.commands, home, work)
        return work / site.output

    def _install(self, home: Path, generator: Generator) -> None:
        """Install a generator's packages, unless the same versions are installed."""
        record, packages = home / "packages.json", json.dumps(to_builtins(generator))
        if record.exists() and record.read_text(encoding="utf-8") == packages:
            return
        if generator.debian and not shutil.which(generator.commands[0][0]):
            raise BuildError(f"it is a package of Debian's: apt-get install {' '.join(generator.debian)}")
        home.mkdir(parents=True, exist_ok=True)
        if generator.pypi:
            self._install_pypi(home, generator.pypi)
        if generator.npm:
            self._install_npm(home, generator.npm)
        record.write_text(packages, encoding="utf-8")

    def _install_pypi(self, home: Path, packages: Sequence[str]) -> None:
        pip = (str(home / "bin" / "python"), "-m", "pip", "install", "--quiet")
        self._run_all([[sys.executable, "-m", "venv", str(home)], [*pip, *packages]], home, home)

    def _install_npm(self, home: Path, packages: Mapping[str, str]) -> None:
        self._install(self._node, Generator(commands=[], output="", pypi=_table()["node"]["pypi"]))
        manifest = {"private": True, "dependencies": packages}
        (home / "package.json").write_text(json.dumps(manifest), encoding="utf-8")
        flags = ("--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel=error")
        self._run_all([["npm", "install", *flags]], home, home)

    @property
    def _node(self) -> Path:
        return self._folder / "node"

    def _run_all(self, commands: Commands, home: Path, folder: Path) -> None:
        """Run commands in a folder, with the generator's programs and Node's first on PATH; raises BuildError."""
        programs = (home / "bin", home / "node_modules" / ".bin", self._node / "bin")
        path = os.pathsep.join([*map(str, programs), os.environ["PATH"]])
        environment = {"NODE_EXTRA_CA_CERTS": _CERTIFICATES} | os.environ | _VARIABLES | {"PATH": path}
        for command in commands:
            _run(command, folder, environment)


def _run(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
    program = shutil.which(command[0], path=environment["PATH"]) or command[0]
    try:
        done = subprocess.run(
            [program, *command[1:]], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise BuildError(f"{command[0]} could not be started: {error}") from None
    if done.returncode:
        raise BuildError(f"{command[0]} failed:\n{done.stdout[-2_000:]}\n{done.stderr[-2_000:]}")


def _copy_source(source: Path, work: Path) -> None:
    """Copy a site's source to an empty folder, with one time for all files."""
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(source, work)
    for path in work.rglob("*"):
        os.utime(path, (_SOURCE_TIME, _SOURCE_TIME))
