"""The function's settings: environment variables, and a file beside the handler or in S3."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from waypost.aws.logs import log
from waypost.build import bucket
from waypost.build.answers import advice
from waypost.build.bucket_site import BucketSite
from waypost.build.locations import Location, Locations, parse_bucket
from waypost.build.named_places import NamedPlaces
from waypost.build.status import REMOVED_PERCENT
from waypost.core import tree_files
from waypost.core.errors import ConfigIssue, ConfigurationError
from waypost.core.places import place_of
from waypost.settings import load
from waypost.settings.load import ConfigSource

CONFIG = "WAYPOST_CONFIG"
_VARIABLES = {
    "base_url": "WAYPOST_BASE_URL",
    "state": "WAYPOST_STATE",
    "name": "WAYPOST_NAME",
    "acl": "WAYPOST_ACL",
    "indexnow": "WAYPOST_INDEXNOW",
    "cloudfront": "WAYPOST_CLOUDFRONT",
    "event_bus": "WAYPOST_EVENT_BUS",
}
_REQUIRED = {
    "WAYPOST_SOURCE": "s3://bucket/prefix, where the site is",
    "WAYPOST_BASE_URL": "the URL of the site's root folder",
    "WAYPOST_STATE": "s3://bucket/prefix in a private bucket",
}


class FunctionSite(NamedTuple):
    """The site of a function: its bucket, its location, and what opens other locations.

    `removed_limit` is from how many percent of removed pages on the template's alarm is raised.
    """

    bucket: BucketSite
    location: Location
    locations: Locations
    removed_limit: float = REMOVED_PERCENT


def read_remote_settings(environment: Mapping[str, str], locations: Locations) -> bytes | None:
    """The settings file, if WAYPOST_CONFIG names one in a bucket; raises ConfigurationError if it cannot be read."""
    uri = environment.get(CONFIG, "")
    if place_of(uri).kind != "bucket":
        return None
    folder, _, name = uri.rpartition("/")
    source = locations.source(parse_bucket(f"{folder}/", "environment", CONFIG))
    try:
        content = source.find(name)
    except OSError as error:
        raise _unreadable_file(uri, error.strerror or str(error)) from error
    if content is None:
        raise _missing_file(uri)
    return content


def prepare(environment: Mapping[str, str], locations: Locations, remote_settings: bytes | None) -> FunctionSite:
    """Check the settings, all at once; raises ConfigurationError."""
    folder = Path(environment.get("LAMBDA_TASK_ROOT", "."))
    issues = [
        ConfigIssue("environment", name, "it is missing", allowed)
        for name, allowed in _REQUIRED.items()
        if not environment.get(name)
    ]
    variables = ConfigSource("environment", _values(environment), spellings=_VARIABLES, is_trusted=True)
    file = _settings_file(environment.get(CONFIG, ""), folder, remote_settings)
    if file:
        issues += _name_issues(file, variables)
    config_sources = [each for each in (file, variables) if each]
    places = NamedPlaces(
        config_sources, folder, named=[environment.get("WAYPOST_SOURCE", ""), environment.get(CONFIG, "")]
    )
    try:
        site = bucket.settings(config_sources, places, issues)
    except ConfigurationError as error:  # a missing variable is also a missing setting; its first issue is enough
        first_issues: dict[str, ConfigIssue] = {}
        for issue in error.issues:
            first_issues.setdefault(_VARIABLES.get(issue.key, issue.key), issue)
        raise ConfigurationError(tuple(first_issues.values())) from None
    location = parse_bucket(environment["WAYPOST_SOURCE"], "environment", "WAYPOST_SOURCE")
    parse_bucket(site.state or "", "environment", "WAYPOST_STATE")  # it has no folder that lasts
    _warn_of_place(environment.get(CONFIG, ""), location)
    limit = environment.get("WAYPOST_REMOVED_ALARM", "")
    removed_limit = float(limit) if limit.isdecimal() else REMOVED_PERCENT
    return FunctionSite(bucket.stateful(site, places, locations, location), location, locations, removed_limit)


def _warn_of_place(config: str, site: Location) -> None:
    """Warn of a settings file among the site's objects: who may upload pages could set anything."""
    if place_of(config).kind == "bucket" and site.contains(parse_bucket(config, "environment", CONFIG)):
        log(
            "WARNING",
            f"the settings file {config} is below the site's prefix, so whoever may upload pages may change the "
            "settings; move it into the state bucket",
        )


def _values(environment: Mapping[str, str]) -> dict[str, Any]:
    """The settings that variables give; the function may write the file with the key of IndexNow."""
    values: dict[str, Any] = {key: environment[name] for key, name in _VARIABLES.items() if environment.get(name)}
    if "indexnow" in values:
        values["indexnow"] = {"key": values["indexnow"], "file": True}
    return values


def _settings_file(path: str, folder: Path, remote_settings: bytes | None) -> ConfigSource | None:
    if not path:
        return None
    content = _read(folder / path) if remote_settings is None else remote_settings
    try:
        return load.parse_toml(content.decode("utf-8-sig"), path)
    except UnicodeDecodeError as error:
        raise _unreadable_file(path, f"it is not UTF-8: {error.reason} at byte {error.start}") from None


def _read(path: Path) -> bytes:
    try:
        return tree_files.read(path, most=tree_files.SMALL_FILE)
    except FileNotFoundError:
        raise _missing_file(path.name) from None
    except OSError as error:
        raise _unreadable_file(path.name, error.strerror or str(error)) from error


def _name_issues(file: ConfigSource, variables: ConfigSource) -> list[ConfigIssue]:
    """The mistake of a `name` in the file that the function's role does not allow it to write."""
    name = variables.values.get("name")
    if not name or file.values.get("name", name) == name:
        return []
    return [file.issue("name", "the function may write only files with the name of the parameter SitemapName")]


def _missing_file(path: str) -> ConfigurationError:
    return ConfigurationError((ConfigIssue("environment", CONFIG, f"there is no file {path}"),))


def _unreadable_file(name: str, problem: str) -> ConfigurationError:
    allowed = advice(problem) or "a file in TOML that the function may read"
    return ConfigurationError((ConfigIssue("environment", CONFIG, f"{name} cannot be read: {problem}", allowed),))
