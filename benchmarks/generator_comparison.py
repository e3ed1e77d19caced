"""Compares what Waypost lists of a site with the sitemaps of the site's generator."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote

from generator_expected import ExpectedDifference, expected_differences
from generator_outputs import own_urls
from msgspec import Struct

from waypost.build.folder import prepare
from waypost.core.model import Plan, Skipped
from waypost.settings.load import ConfigSource

_ENDINGS = ("index.html", ".html", ".htm", "/")


class Difference(Struct, frozen=True):
    """A URL that one side alone lists, or lists in another form, and why; `why` is empty if no reason is known.

    `kind` is missing, extra, or form.
    """

    kind: str
    url: str
    why: str
    is_expected: bool


class Comparison(Struct, frozen=True):
    """How many URLs each side lists, how many both list in the same form, and the differences."""

    own_count: int
    listed_count: int
    common_count: int
    differences: list[Difference]


def compare(name: str, output: Path, base_url: str) -> Comparison:
    """Plan the sitemaps of a built site, with the base URL as the only setting, and compare."""
    plan = prepare(output, ConfigSource("benchmark", {"base_url": base_url}), working_folder=output).plan()
    own, listed = own_urls(output), {unquote(page.loc) for page in plan.pages}
    differences = _Differences(plan, base_url, expected_differences().get(name, []))
    found = [*differences.missing(own - listed, listed), *differences.extra(listed - own, own)]
    return Comparison(len(own), len(listed), len(own & listed), found)


class _Differences:
    """Finds the reason for each difference."""

    def __init__(self, plan: Plan, base_url: str, expected: list[ExpectedDifference]) -> None:
        self._skipped = {_without_form(unquote(base_url) + skipped.key): skipped for skipped in plan.skipped}
        self._expected = {(each.kind, url): each.why for each in expected for url in each.urls}

    def missing(self, urls: set[str], listed: set[str]) -> Iterator[Difference]:
        """The URLs that Waypost does not list, or lists in another form."""
        forms = _by_page(listed)
        for url in sorted(urls):
            page = _without_form(url)
            why = self._expected.get(("wrong", url), "")
            if page in forms:
                yield Difference("form", url, why or f"listed as {forms[page]}", bool(why))
            else:
                yield Difference("missing", url, why or _reason(self._skipped.get(page)), bool(why))

    def extra(self, urls: set[str], own: set[str]) -> Iterator[Difference]:
        """The URLs that the generator does not list, in any form."""
        forms = _by_page(own)
        for url in sorted(url for url in urls if _without_form(url) not in forms):
            why = self._expected.get(("extra", url), "")
            yield Difference("extra", url, why, bool(why))


def _reason(skipped: Skipped | None) -> str:
    if skipped is None:
        return "there is no such file"
    return f"{skipped.key}: {skipped.reason.meaning}{skipped.detail and f' ({skipped.detail})'}"


def _by_page(urls: set[str]) -> Mapping[str, str]:
    return {_without_form(url): url for url in urls}


def _without_form(url: str) -> str:
    """The same text for all URLs at which servers answer the same file."""
    for ending in _ENDINGS:
        url = url.removesuffix(ending)
    return url
