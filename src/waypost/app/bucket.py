"""A run over a bucket; alone of the entries it makes clients of AWS."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import boto3
import botocore.session
from botocore.config import Config
from botocore.exceptions import BotoCoreError
from botocore.utils import parse_timestamp

from waypost.app import settings_file
from waypost.app.job import Job, check_all, missing_templates, now
from waypost.app.ledger_site import LedgerSite
from waypost.build.lister import DateSources
from waypost.config.load import ConfigSource
from waypost.config.schema import Site
from waypost.core.dates import format_unix_time
from waypost.core.errors import ConfigIssue, ConfigurationError
from waypost.core.model import SiteWarning
from waypost.ledger.store import Ledger
from waypost.sitemaps.render import Renderer, overriding_templates
from waypost.sources.s3 import S3Source
from waypost.stores.base import ConditionalStore, Store
from waypost.stores.dry_run import DryRunStore
from waypost.stores.filesystem import FolderStore
from waypost.stores.s3 import S3Store
from waypost.sync.updater import Updater

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_READERS = 32


@dataclass(frozen=True)
class S3Location:
    """A bucket, and a prefix in it that is empty or ends with `/`."""

    bucket: str
    prefix: str

    def __str__(self) -> str:
        return f"s3://{self.bucket}/{self.prefix}"


@dataclass(frozen=True)
class BucketJob(Job):
    """A run over the objects below a prefix of which nothing is remembered."""

    client: "S3Client"
    source: S3Location
    output: Store

    def key(self, path: str) -> str:
        """A key of the bucket with its address, or one below the prefix, as the site's key."""
        return path.removeprefix(str(self.source))

    def _open_source(self) -> S3Source:
        return S3Source(self.client, self.source.bucket, self.source.prefix)

    def _store(self) -> Store:
        return self.output

    def _state_file(self) -> None:
        return None

    def _date_sources(self, beside: Executor) -> tuple[DateSources, list[SiteWarning]]:
        del beside
        return DateSources(format_unix_time(now())), []


def prepare(
    source: str,
    *flags: ConfigSource,
    file: Path | None = None,
    output: str | None = None,
    issues: Sequence[ConfigIssue] = (),
) -> BucketJob | LedgerSite:
    """Check the settings for a bucket, `s3://bucket/prefix`; raises ConfigurationError.

    Settings are looked for in the working folder. Where they name a `state`, a folder here or in a bucket, that
    holds a ledger; without one pages have no date but their own.
    """
    here = Path.cwd()
    found = settings_file.read(file, here, here)
    sources, folder = ([found[0], *flags], found[1].parent) if found else (list(flags), here)
    site = settings(sources, folder, issues)
    client, place = s3_client(), parse_s3_uri(source)
    if site.state:
        return ledger_site(site, folder, client, place, output)
    return BucketJob(site, folder, client, place, _store(output or str(place), client, site.cache_control or ""))


def settings(sources: Sequence[ConfigSource], folder: Path, issues: Sequence[ConfigIssue] = ()) -> Site:
    """The checked settings of a bucket's site; `folder` is where they look for templates."""
    has_state = any("state" in layer.values for layer in sources)
    bottom = ConfigSource("a bucket's own", {"lastmod": "content" if has_state else "none"})
    issues = [*issues, *missing_templates(sources, folder)]
    return check_all([bottom, *sources], [*issues, *_from_git(sources)])


def ledger_site(
    site: Site,
    folder: Path,
    client: "S3Client",
    place: S3Location,
    output: str | None = None,
    warn: Callable[[str], None] = lambda message: None,
) -> LedgerSite:
    """A site with a ledger, whose `state` says where; `warn` is told of damage to it that was passed over."""
    target = output or str(place)
    renderer = Renderer(overriding_templates(folder / site.templates) if site.templates else {})
    outputs = _store(target, client, site.cache_control or "")
    address = site.state or ""
    _refuse_public(address, place)
    state = _store(address if "://" in address else str(folder / address), client)

    def updater(ledger: ConditionalStore, published: ConditionalStore) -> Updater:
        source = S3Source(client, place.bucket, place.prefix)
        is_elsewhere = target.rstrip("/") != str(place).rstrip("/")
        return Updater(
            source,
            site,
            Ledger(ledger, str(place), warn),
            published,
            renderer,
            lambda: format_unix_time(now()),
            is_elsewhere=is_elsewhere,
        )

    trial = lambda: updater(DryRunStore(state), DryRunStore(outputs))  # noqa: E731
    return LedgerSite(site, str(place), updater(state, outputs), trial, state, renderer)


def _from_git(sources: Sequence[ConfigSource]) -> list[ConfigIssue]:
    named = [layer for layer in sources if "lastmod" in layer.values]
    if not named or named[-1].values["lastmod"] != "git":
        return []
    return [named[-1].issue("lastmod", "a bucket has no history that Git could tell", "content or none")]


def s3_client() -> "S3Client":
    """A client by the AWS SDK's own variables and files, with as many connections as there are readers."""
    try:
        session = botocore.session.get_session()
        session.get_component("response_parser_factory").set_parser_defaults(timestamp_parser=_parse_time)
        config = Config(max_pool_connections=_READERS, retries={"mode": "standard"})
        return boto3.Session(botocore_session=session).client("s3", config=config)
    except (BotoCoreError, ValueError) as error:
        raise ConfigurationError((ConfigIssue("environment", "AWS", str(error)),)) from error


def _parse_time(value: Any) -> datetime:
    """A time in an answer: read by Python itself where it is ISO 8601, which takes two thirds off a listing's work."""
    if isinstance(value, str) and value[4:5] == "-":
        return datetime.fromisoformat(value)
    return parse_timestamp(value)


def parse_s3_uri(address: str, where: str = "command line", name: str = "SOURCE") -> S3Location:
    """The place that an address names; raises ConfigurationError."""
    bucket, _, prefix = address.removeprefix("s3://").partition("/")
    if not address.startswith("s3://") or not bucket or quote(bucket, safe="") != bucket:
        problem = f"{address!r} is no address of a bucket"
        raise ConfigurationError((ConfigIssue(where, name, problem, "s3://bucket/prefix"),))
    return S3Location(bucket, prefix if not prefix or prefix.endswith("/") else f"{prefix}/")


def _refuse_public(state: str, site: S3Location) -> None:
    """A ledger below the site's prefix would be published with it."""
    if state.startswith("s3://"):
        place = parse_s3_uri(state, "settings", "state")
        if place.bucket == site.bucket and place.prefix.startswith(site.prefix):
            problem = f"{state} lies in the site, {site}, and would be published with it"
            raise ConfigurationError((ConfigIssue("settings", "state", problem, "a private bucket's folder"),))


def _store(address: str, client: "S3Client", cache_control: str = "") -> ConditionalStore:
    if not address.startswith("s3://"):
        return FolderStore(Path(address))
    place = parse_s3_uri(address)
    return S3Store(client, place.bucket, place.prefix, cache_control)
