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
from waypost.app.job import Job, checked, missing_templates, now
from waypost.app.ledger_site import Tending
from waypost.build.lister import Memory
from waypost.config.load import Layer, Site
from waypost.core.dates import w3c
from waypost.core.errors import ConfigurationError, Mistake
from waypost.core.model import Warned
from waypost.ledger.store import Ledger
from waypost.sitemaps.render import Renderer, overriding_templates
from waypost.sources.s3 import Bucket
from waypost.stores.base import Store, SwapStore
from waypost.stores.dry_run import Overlay
from waypost.stores.filesystem import Files
from waypost.stores.s3 import S3
from waypost.sync.updater import Upkeep

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_READERS = 32


@dataclass(frozen=True)
class Place:
    """A bucket, and a prefix in it that is empty or ends with `/`."""

    bucket: str
    prefix: str

    def __str__(self) -> str:
        return f"s3://{self.bucket}/{self.prefix}"


@dataclass(frozen=True)
class BucketJob(Job):
    """A run over the objects below a prefix of which nothing is remembered."""

    client: "S3Client"
    source: Place
    output: Store

    def key(self, path: str) -> str:
        """A key of the bucket with its address, or one below the prefix, as the site's key."""
        return path.removeprefix(str(self.source))

    def _opened(self) -> Bucket:
        return Bucket(self.client, self.source.bucket, self.source.prefix)

    def _store(self) -> Store:
        return self.output

    def _kept(self) -> None:
        return None

    def _memory(self, beside: Executor) -> tuple[Memory, list[Warned]]:
        del beside
        return Memory(w3c(now())), []


def prepare(
    source: str,
    *flags: Layer,
    file: Path | None = None,
    output: str | None = None,
    mistakes: Sequence[Mistake] = (),
) -> BucketJob | Tending:
    """Check the settings for a bucket, `s3://bucket/prefix`; raises ConfigurationError.

    Settings are looked for in the working folder. Where they name a `state`, a folder here or in a bucket, that
    holds a ledger; without one pages have no date but their own.
    """
    here = Path.cwd()
    found = settings_file.read(file, here, here)
    layers, folder = ([found[0], *flags], found[1].parent) if found else (list(flags), here)
    site = settings(layers, folder, mistakes)
    client, place = s3_client(), place_of(source)
    if site.state:
        return tending(site, folder, client, place, output)
    return BucketJob(site, folder, client, place, _store(output or str(place), client, site.cache_control or ""))


def settings(layers: Sequence[Layer], folder: Path, mistakes: Sequence[Mistake] = ()) -> Site:
    """The checked settings of a bucket's site; `folder` is where they look for templates."""
    has_state = any("state" in layer.values for layer in layers)
    bottom = Layer("a bucket's own", {"lastmod": "content" if has_state else "none"})
    mistakes = [*mistakes, *missing_templates(layers, folder)]
    return checked([bottom, *layers], [*mistakes, *_from_git(layers)])


def tending(
    site: Site,
    folder: Path,
    client: "S3Client",
    place: Place,
    output: str | None = None,
    warn: Callable[[str], None] = lambda message: None,
) -> Tending:
    """A site with a ledger, whose `state` says where; `warn` is told of damage to it that was passed over."""
    target = output or str(place)
    renderer = Renderer(overriding_templates(folder / site.templates) if site.templates else {})
    outputs = _store(target, client, site.cache_control or "")
    address = site.state or ""
    _refuse_public(address, place)
    state = _store(address if "://" in address else str(folder / address), client)

    def upkeep(ledger: SwapStore, published: SwapStore) -> Upkeep:
        source = Bucket(client, place.bucket, place.prefix)
        is_elsewhere = target.rstrip("/") != str(place).rstrip("/")
        return Upkeep(
            source,
            site,
            Ledger(ledger, str(place), warn),
            published,
            renderer,
            lambda: w3c(now()),
            is_elsewhere=is_elsewhere,
        )

    trial = lambda: upkeep(Overlay(state), Overlay(outputs))  # noqa: E731
    return Tending(site, str(place), upkeep(state, outputs), trial, state, renderer)


def _from_git(layers: Sequence[Layer]) -> list[Mistake]:
    named = [layer for layer in layers if "lastmod" in layer.values]
    if not named or named[-1].values["lastmod"] != "git":
        return []
    return [named[-1].mistake("lastmod", "a bucket has no history that Git could tell", "content or none")]


def s3_client() -> "S3Client":
    """A client by the AWS SDK's own variables and files, with as many connections as there are readers."""
    try:
        session = botocore.session.get_session()
        session.get_component("response_parser_factory").set_parser_defaults(timestamp_parser=_moment)
        config = Config(max_pool_connections=_READERS, retries={"mode": "standard"})
        return boto3.Session(botocore_session=session).client("s3", config=config)
    except (BotoCoreError, ValueError) as error:
        raise ConfigurationError((Mistake("environment", "AWS", str(error)),)) from error


def _moment(value: Any) -> datetime:
    """A time in an answer: read by Python itself where it is ISO 8601, which takes two thirds off a listing's work."""
    if isinstance(value, str) and value[4:5] == "-":
        return datetime.fromisoformat(value)
    return parse_timestamp(value)


def place_of(address: str, where: str = "command line", name: str = "SOURCE") -> Place:
    """The place that an address names; raises ConfigurationError."""
    bucket, _, prefix = address.removeprefix("s3://").partition("/")
    if not address.startswith("s3://") or not bucket or quote(bucket, safe="") != bucket:
        problem = f"{address!r} is no address of a bucket"
        raise ConfigurationError((Mistake(where, name, problem, "s3://bucket/prefix"),))
    return Place(bucket, prefix if not prefix or prefix.endswith("/") else f"{prefix}/")


def _refuse_public(state: str, site: Place) -> None:
    """A ledger below the site's prefix would be published with it."""
    if state.startswith("s3://"):
        place = place_of(state, "settings", "state")
        if place.bucket == site.bucket and place.prefix.startswith(site.prefix):
            problem = f"{state} lies in the site, {site}, and would be published with it"
            raise ConfigurationError((Mistake("settings", "state", problem, "a private bucket's folder"),))


def _store(address: str, client: "S3Client", cache_control: str = "") -> SwapStore:
    if not address.startswith("s3://"):
        return Files(Path(address))
    place = place_of(address)
    return S3(client, place.bucket, place.prefix, cache_control)
