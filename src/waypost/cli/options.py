"""The options that every command on a site has, and the run that they ask for."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from waypost.build import folder
from waypost.build.job import Job
from waypost.build.locations import parse_location
from waypost.core.data_files import DataError, load_toml
from waypost.core.errors import ConfigIssue, ConfigurationError
from waypost.core.places import place_of
from waypost.core.private_hosts import PrivateHosts
from waypost.settings.load import ConfigSource
from waypost.settings.schema import Site

if TYPE_CHECKING:
    from waypost.build.bucket_site import BucketSite

Command = Callable[..., None]


@dataclass(frozen=True)
class SiteOptions:
    """The options of a command on a site, as the user typed them."""

    assignments: tuple[str, ...] = ()
    config_file: Path | None = None
    base_url: str | None = None
    state: str | None = None
    output: str | None = None
    adopt_state: bool = False
    preview: bool = False


allow_private = click.option(
    "--allow-private",
    "private",
    is_flag=True,
    callback=lambda context, option, is_given: PrivateHosts(are_allowed=is_given),
    help="Also fetch from private networks, such as this machine.",
)
"""Gives a command `private`, the hosts of private networks that may be asked."""


class LocalPath(click.Path):
    """A path on this machine: a URL is refused, as nothing is read from or written to one."""

    def __init__(self, *, dir_okay: bool = True, file_okay: bool = True, exists: bool = False) -> None:
        super().__init__(path_type=Path, dir_okay=dir_okay, file_okay=file_okay, exists=exists)

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        """The path; fails for a URL."""
        if place_of(os.fspath(value)).kind != "path":
            self.fail(f"{str(value)!r} is a URL, and no path on this machine", param, ctx)
        return super().convert(value, param, ctx)


def file_option(name: str, meaning: str) -> Callable[[Command], Command]:
    """An option that names a file on this machine."""
    return click.option(name, type=LocalPath(dir_okay=False), metavar="FILE", help=meaning)


def number_option(name: str, meaning: str, default: int | None = None, unit: str = "N") -> Callable[[Command], Command]:
    """An option that is a whole number from 0."""
    return click.option(name, default=default, type=click.IntRange(0), metavar=unit, help=meaning)


def wrong_option(name: str, problem: str, allowed: str = "") -> ConfigurationError:
    """The error for an option or an argument."""
    return ConfigurationError((ConfigIssue("command line", name, problem, allowed),))


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document on standard output.")
_OPTIONS: dict[str, Callable[[Command], Command]] = {
    "assignments": click.option(
        "--set",
        "assignments",
        multiple=True,
        metavar="KEY=VALUE",
        help="Any setting, with its value in TOML; may be repeated.",
    ),
    "state": click.option(
        "--state",
        metavar="PLACE",
        help="Where content is remembered for dates: a file for a folder, a state's location for a bucket. "
        "Implies lastmod = content.",
    ),
    "adopt_state": click.option(
        "--adopt-state", is_flag=True, help="Take over the state file of another base_url, because the site has moved."
    ),
    "preview": click.option(
        "--preview", is_flag=True, help="Build a preview: read the state file of another base_url, and write none."
    ),
    "config_file": click.option(
        "--config",
        "config_file",
        type=LocalPath(),
        metavar="FILE",
        help="The settings file. [default: waypost.toml or pyproject.toml, in SOURCE or the working folder]",
    ),
    "output": click.option("--output", metavar="DIR", help="Where the sitemaps are written. [default: SOURCE]"),
    "base_url": click.option("--base-url", metavar="URL", help="The URL of the site's root folder."),
}


def with_csv(command: Command) -> Command:
    """Give a command that has `as_json` the option --csv, and call it with `as_csv`; only one of them can be given."""

    @wraps(command)
    def call(*, as_json: bool, as_csv: bool, **values: object) -> None:
        if as_json and as_csv:
            raise click.UsageError("--csv and --json cannot be used together")
        command(as_json=as_json, as_csv=as_csv, **values)

    option = click.option("--csv", "as_csv", is_flag=True, help="Print what was found as CSV on standard output.")
    return option(call)


def _with(*names: str) -> Callable[[Command], Command]:
    """Give a command these options on a site and --json: it is called with `options`, a SiteOptions, and `as_json`."""

    def decorate(command: Command) -> Command:
        @wraps(command)
        def call(**values: object) -> None:
            chosen = {name: values.pop(name) for name in names}
            command(**values, options=SiteOptions(**chosen))  # type: ignore[arg-type]  # click has checked their types

        json_option(call)
        for name in names:
            _OPTIONS[name](call)
        return call

    return decorate


site_options = _with(*_OPTIONS)
"""Every option on a site."""
read_only_options = _with("assignments", "config_file", "base_url")
"""What a command needs that only reads a site."""
with_state = _with("assignments", "state", "config_file", "base_url")
"""What a command needs that only reads a site, and the state."""
merge_options = _with("assignments", "output", "base_url")
"""What a command needs that writes sitemaps without a site."""


def job(source: str | None, options: SiteOptions) -> Job:
    """The run over a folder or a bucket; without one, over the folder that is recognised as the project's site.

    Raises ConfigurationError and SourceError.
    """
    flags, issues = as_settings(options)
    if source and parse_location(source).scheme:
        from waypost.build import bucket  # not needed for a folder

        return bucket.prepare(source, flags, file=options.config_file, output=options.output, issues=issues)
    path = Path(source) if source else None
    return folder.prepare(path, flags, file=options.config_file, output=output_folder(options), issues=issues)


def output_folder(options: SiteOptions) -> Path | None:
    """Where the sitemaps of a folder are written, if --output says so; raises ConfigurationError for a URL."""
    if options.output and place_of(options.output).kind != "path":
        problem = f"{options.output!r} is a URL, and the sitemaps of a folder are written to a folder"
        raise wrong_option("--output", problem, "a folder")
    return Path(options.output) if options.output else None


def folder_settings(source: str, options: SiteOptions, base_url: str) -> Site:
    """The settings for a folder that is published at a URL, and need not exist here; raises ConfigurationError."""
    flags, issues = as_settings(replace(options, base_url=base_url))
    return folder.settings_of(Path(source), flags, file=options.config_file, issues=issues)


def stateful_bucket(source: str, options: SiteOptions) -> "BucketSite":
    """A bucket with a state; raises ConfigurationError for a folder, and where --state is missing."""
    require_bucket(source)
    found = job(source, options).bucket
    if found is None:
        raise wrong_option("--state", "it is missing; it names the state", "s3://bucket/prefix, or a folder")
    return found


def require_bucket(source: str) -> None:
    """Raise ConfigurationError unless a source is the location of a bucket."""
    if not parse_location(source).scheme:
        problem = f"{source} is a folder, which only `waypost build` can build; this command needs a bucket"
        raise wrong_option("SOURCE", problem, "s3://bucket/prefix")


def as_settings(options: SiteOptions) -> tuple[ConfigSource, list[ConfigIssue]]:
    """The command line as a source of settings, and the issues with what cannot be read."""
    values: dict[str, object] = {}
    issues: list[ConfigIssue] = []
    for assignment in options.assignments:
        values |= _parse_assignment(assignment, issues)
    if options.base_url is not None:
        values["base_url"] = options.base_url
    if options.state is not None:
        is_path = place_of(options.state).kind == "path"
        state = str(Path(options.state).absolute()) if is_path else options.state
        values = {"state": state, "lastmod": "content", **values}
    values |= {name: True for name in ("adopt_state", "preview") if getattr(options, name)}
    spellings = {"base_url": "--base-url", "state": "--state"}
    return ConfigSource("command line", values, spellings=spellings, is_trusted=True), issues


def _parse_assignment(assignment: str, issues: list[ConfigIssue]) -> dict[str, object]:
    key, equals, value = assignment.partition("=")
    for text in (value, f'"{value}"') if equals and key.strip() else ():
        try:
            return {key.strip(): load_toml(f"value = {text}")["value"]}
        except DataError:
            continue
    issues.append(
        ConfigIssue("command line", "--set", f"{assignment!r} is not KEY=VALUE", "a value in TOML, or a word")
    )
    return {}
