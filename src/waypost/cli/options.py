"""The options that every command over a site has, and the run that they come to."""

import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

from waypost.app import folder
from waypost.app.job import Job
from waypost.app.ledger_site import LedgerSite
from waypost.config.load import ConfigSource
from waypost.core.errors import ConfigIssue, ConfigurationError

Command = Callable[..., None]
_EXTRA = "buckets need boto3: pip install 'waypost[aws]'"


_PATH = click.Path(path_type=Path)
_OPTIONS: dict[str, Callable[[Command], Command]] = {
    "json": click.option("--json", "as_json", is_flag=True, help="Print one JSON document on standard output."),
    "set": click.option(
        "--set",
        "assignments",
        multiple=True,
        metavar="KEY=VALUE",
        help="Any setting, its value in TOML; may be repeated.",
    ),
    "state": click.option(
        "--state",
        metavar="PLACE",
        help="What remembers dates by content: a folder's file, a bucket's ledger. Implies lastmod = content.",
    ),
    "config": click.option(
        "--config",
        "config_file",
        type=_PATH,
        metavar="FILE",
        help="The settings. [default: waypost.toml or pyproject.toml, in SOURCE or here]",
    ),
    "output": click.option("--output", metavar="DIR", help="Where the sitemaps stand. [default: SOURCE]"),
    "base-url": click.option("--base-url", metavar="URL", help="The URL of the site's root folder."),
}


def site_options(command: Command) -> Command:
    """The options that every command over a site has."""
    return _with(_OPTIONS, command)


def read_only_options(command: Command) -> Command:
    """Those of them that a command has which only looks at a site."""
    return _with(("json", "set", "config", "base-url"), command)


def _with(names: Iterable[str], command: Command) -> Command:
    for name in names:
        command = _OPTIONS[name](command)
    return command


def job(source: str, options: dict[str, Any]) -> Job | LedgerSite:
    """The run over a folder or a bucket; what a bucket needs is imported for one alone."""
    issues: list[ConfigIssue] = []
    flags = _flags(options, issues)
    file = options["config_file"]
    if source.startswith("s3://"):
        need_boto3()
        from waypost.app import bucket

        return bucket.prepare(source, flags, file=file, output=options.get("output"), issues=issues)
    output = Path(options["output"]) if options.get("output") else None
    return folder.prepare(Path(source), flags, file=file, output=output, issues=issues)


def need_boto3() -> None:
    """What speaks to AWS is imported behind this alone; raises ConfigurationError where boto3 is not installed."""
    try:
        import boto3  # noqa: F401 (a folder's site needs none of it, nor the time that it takes)
    except ImportError as error:
        raise ConfigurationError((ConfigIssue("command line", "SOURCE", _EXTRA),)) from error


def ledger_site(source: str, options: dict[str, Any]) -> LedgerSite:
    """The run over a bucket with a ledger."""
    found = job(source, options) if source.startswith("s3://") else None
    if not isinstance(found, LedgerSite):
        problem = f"{source} is a folder, which `waypost build` builds whole; this needs a bucket"
        mistake = ConfigIssue("command line", "SOURCE", problem, "s3://bucket/prefix")
        missing = ConfigIssue(
            "command line", "--state", "it is missing, and names the ledger", "s3://bucket/prefix, or a folder"
        )
        raise ConfigurationError((mistake if found is None else missing,))
    return found


def _flags(options: dict[str, Any], issues: list[ConfigIssue]) -> ConfigSource:
    """The command line as a layer of settings; what is no setting goes to the mistakes."""
    values: dict[str, Any] = {}
    for assignment in options["assignments"]:
        values |= _assigned(assignment, issues)
    if options["base_url"] is not None:
        values["base_url"] = options["base_url"]
    if options.get("state") is not None:
        state = options["state"]
        values |= {"state": state if "://" in state else str(Path(state).absolute()), "lastmod": "content"}
    return ConfigSource("command line", values, spellings={"base_url": "--base-url", "state": "--state"})


def _assigned(assignment: str, issues: list[ConfigIssue]) -> dict[str, Any]:
    key, equals, value = assignment.partition("=")
    for text in (value, f'"{value}"') if equals and key.strip() else ():
        try:
            return {key.strip(): tomllib.loads(f"value = {text}")["value"]}
        except tomllib.TOMLDecodeError:
            continue
    issues.append(
        ConfigIssue("command line", "--set", f"{assignment!r} is not KEY=VALUE", "a value in TOML, or a word")
    )
    return {}
