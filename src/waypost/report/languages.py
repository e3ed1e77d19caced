"""Counts which pages have counterparts in which languages, by the alternates that the sitemaps list."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from waypost.core.model import Page

_MAX_LANGUAGES = 30
_X_DEFAULT = "x-default"


class LanguageMatrix(Struct, frozen=True):
    """The pages of each language, and how many of them have a counterpart in each other language.

    `languages` has the languages of pages, then those that only alternates name. `counterparts[a, b]` counts the pages
    in language `a` that name a version in language `b`.
    """

    languages: Sequence[str]
    pages: Mapping[str, int]
    counterparts: Mapping[tuple[str, str], int]

    def missing(self, language: str, other: str) -> int:
        """How many pages of a language have no counterpart in another."""
        return self.pages[language] - self.counterparts.get((language, other), 0)


def language_matrix(listed: Iterable[Page]) -> LanguageMatrix | None:
    """The counts of the languages with the most pages, as far as pages say theirs; None for a site in one language."""
    pages: Counter[str] = Counter()
    counterparts: Counter[tuple[str, str]] = Counter()
    for own, *others in filter(None, map(languages_of, listed)):
        pages[own] += 1
        counterparts.update((own, other) for other in others)
    languages = {*pages, *(other for _, other in counterparts)}
    names = sorted(languages, key=lambda name: (-pages[name], name))[:_MAX_LANGUAGES]
    return LanguageMatrix(names, pages, counterparts) if len(names) > 1 else None


def languages_of(page: Page) -> tuple[str, ...]:
    """The language of a page, and then its other versions' languages; empty if the page does not say its own."""
    own = next((code for code, href in page.alternates if href == page.loc and code != _X_DEFAULT), "")
    return (own, *(code for code, _ in page.alternates if code not in (own, _X_DEFAULT))) if own else ()
