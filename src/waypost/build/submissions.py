"""Submits sitemaps to search engines, and reads back what these know of them: one row for each engine."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from msgspec import Struct

from waypost.core.clock import Retry
from waypost.core.errors import AnnounceError, ConfigIssue, ConfigurationError, TryLaterError
from waypost.core.inert_text import inert_markdown
from waypost.core.model import printable
from waypost.core.tree_files import read_json
from waypost.notify.submission import COLUMNS, SitemapEngine, Submission, cells

_WHERE = {"google": "Sitemaps in Search Console", "bing": "Sitemaps in Bing Webmaster Tools"}
_PATIENCE = 120.0
"""Seconds after which no request of a run is repeated."""
_DOMAIN = "sc-domain:"
_MOST_BYTES = 33_554_432
_INSTALL = "pip install google-auth"


def table_lines(submissions: Sequence[Submission]) -> Iterator[str]:
    """The lines of a table, whose columns are as wide as what is in them."""
    rows = [COLUMNS, *(tuple(map(printable, cells(each))) for each in submissions)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()


def problems(submissions: Sequence[Submission]) -> list[str]:
    """What went wrong, each with the engine and the sitemap."""
    return [f"{each.engine}, {each.sitemap}: {each.problem}" for each in submissions if each.problem]


def engine_errors(submissions: Sequence[Submission]) -> list[str]:
    """The sitemaps in which an engine has found errors, and where it says which."""
    return [
        f"{each.engine}, {each.sitemap}: the engine reports errors in it; {_WHERE[each.engine]} names them"
        for each in submissions
        if each.status and each.status.has_errors
    ]


def summary_markdown(submissions: Sequence[Submission]) -> str:
    """A heading, a table, and what went wrong."""
    rows = ["| " + " | ".join(map(inert_markdown, cells(each))) + " |" for each in submissions]
    head = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    failed = [f"- {inert_markdown(each)}" for each in (*problems(submissions), *engine_errors(submissions))]
    return "\n".join(["## Sitemaps at search engines", "", *head, *rows, "", *failed]) + "\n"


class SubmitAnswer(Struct, frozen=True):
    """What became of each sitemap at each search engine, as of a time."""

    schema_version: int
    read_at: str
    submissions: Sequence[Submission]


class EngineKind(NamedTuple):
    """A search engine: the environment variables with its credentials and with another URL of its API."""

    credentials: str
    meaning: str
    api_url: str
    make: Callable[[str, str], SitemapEngine]


def _google(credentials: str, api_url: str) -> SitemapEngine:
    del credentials  # google-auth reads the variable
    try:
        from waypost.notify.google_credentials import GoogleCredentials
    except ModuleNotFoundError as error:
        issue = ConfigIssue("command line", "--to google", "it needs google-auth, which is not installed", _INSTALL)
        raise ConfigurationError((issue,)) from error
    from waypost.notify.search_console import SearchConsole

    return SearchConsole(GoogleCredentials(), api_url)


def _bing(credentials: str, api_url: str) -> SitemapEngine:
    from waypost.notify.bing_webmaster import BingWebmaster

    return BingWebmaster(credentials, api_url)


ENGINES = {
    "google": EngineKind(
        "GOOGLE_APPLICATION_CREDENTIALS",
        "the file of a service account's key, or of a workload identity",
        "WAYPOST_SEARCH_CONSOLE_URL",
        _google,
    ),
    "bing": EngineKind(
        "BING_WEBMASTER_API_KEY", "the API key of Bing Webmaster Tools", "WAYPOST_BING_WEBMASTER_URL", _bing
    ),
}
_MEANINGS = ", or ".join(kind.meaning for kind in ENGINES.values())


def engines_of(names: Sequence[str], environ: Mapping[str, str]) -> list[SitemapEngine]:
    """The engines with these names, or all whose credentials are in the environment; raises ConfigurationError."""
    with_credentials = [name for name, kind in ENGINES.items() if environ.get(kind.credentials, "").strip()]
    if not (names or with_credentials):
        variables = " and ".join(kind.credentials for kind in ENGINES.values())
        raise ConfigurationError((ConfigIssue("environment", variables, "none of them is set", _MEANINGS),))
    chosen = dict.fromkeys(names or with_credentials)
    missing = [_missing(name, ENGINES[name]) for name in chosen if name not in with_credentials]
    if missing:
        raise ConfigurationError(tuple(missing))
    return [_engine(ENGINES[name], environ) for name in chosen]


def _missing(name: str, kind: EngineKind) -> ConfigIssue:
    return ConfigIssue("environment", kind.credentials, f"it is not set, and --to {name} needs it", kind.meaning)


def _engine(kind: EngineKind, environ: Mapping[str, str]) -> SitemapEngine:
    api_url = environ.get(kind.api_url, "")
    if api_url and not _origin(api_url):
        raise ConfigurationError((ConfigIssue("environment", kind.api_url, "it is not an http or https URL"),))
    return kind.make(environ[kind.credentials].strip(), api_url)


def checked_site(text: str) -> str:
    """A property of Search Console as Google writes it; raises ConfigurationError."""
    if text.startswith(_DOMAIN) and len(text) > len(_DOMAIN):
        return text
    if _origin(text):
        return text if text.endswith("/") else f"{text}/"
    allowed = "sc-domain:example.org, or a URL such as https://www.example.org/"
    raise ConfigurationError((ConfigIssue("command line", "--site", f"{text!r} is no property", allowed),))


def check_sitemaps(urls: Sequence[str]) -> None:
    """Raise ConfigurationError for what is not the URL of a sitemap."""
    problem = "is not an http or https URL, or has a user name"
    issues = [ConfigIssue("command line", "SITEMAP_URL", f"{url!r} {problem}") for url in urls if not _origin(url)]
    if issues:
        raise ConfigurationError(tuple(issues))


def submissions_of(
    engines: Sequence[SitemapEngine],
    sitemaps: Sequence[str],
    site: str | None = None,
    *,
    submits: bool = True,
    retry: Retry,
) -> Iterator[Submission]:
    """Submit each sitemap to each engine, unless `submits` is False, and read back what the engine knows of it.

    A failure is in its own submission and costs no other one. `site` is by default the origin of the sitemap, as it
    also is at engines that know no properties of whole domains.
    """
    for engine in engines:
        for sitemap in dict.fromkeys(sitemaps):
            named = site if site and (engine.takes_domains or not site.startswith(_DOMAIN)) else None
            yield _submission(engine, named or _origin(sitemap), sitemap, submits=submits, retry=retry)


def _submission(engine: SitemapEngine, site: str, sitemap: str, *, submits: bool, retry: Retry) -> Submission:
    is_submitted = False
    try:
        if submits:
            retry.answer(partial(engine.submit, site, sitemap), _is_temporary)
            is_submitted = True
        status = retry.answer(partial(engine.status, site, sitemap), _is_temporary)
    except AnnounceError as error:
        return Submission(engine.name, site, sitemap, is_submitted, problem=str(error))
    problem = "" if status or is_submitted else f"it was not submitted for {site}; run this without --status"
    return Submission(engine.name, site, sitemap, is_submitted, status, problem)


def _is_temporary(error: Exception) -> bool:
    return isinstance(error, TryLaterError)


def patient_retry(pause: Callable[[float], object], clock: Callable[[], float] = time.monotonic) -> Retry:
    """Repeat requests with these pauses, for at most two minutes of a run."""
    deadline = clock() + _PATIENCE
    return Retry(lambda: clock() >= deadline, pause)


def _origin(url: str) -> str:
    """The scheme and host of a URL with a slash, or `""` if it is not a URL that an engine could read."""
    try:
        parts = urlsplit(url)
        is_valid = parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc.lower()}/" if is_valid and url.isprintable() and " " not in url else ""


def read_answer(file: Path) -> SubmitAnswer:
    """The answer that `waypost submit --json` has printed into a file; raises SourceError."""
    return read_json(file, SubmitAnswer, "submit", _MOST_BYTES)
