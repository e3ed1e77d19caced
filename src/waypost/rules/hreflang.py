"""Pages that are versions of one another: their hreflang sets, complete and reciprocal.

Search engines ignore a version that does not name the others back (Google, "Localized versions of your pages"). So
what one page of a set declares applies to all of them; if they contradict each other, one rule decides for all.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from waypost.core import languages
from waypost.core.urls import LOC_LIMIT


class DeclaredAlternates(NamedTuple):
    """The versions that a page names, as hreflang and URL, and the language that it is in itself, or `""`."""

    alternates: Sequence[tuple[str, str]]
    language: str = ""


class HreflangIssue(NamedTuple):
    """A declaration of a page that was not accepted: the code of a warning, and what was found."""

    loc: str
    code: str
    detail: str


Alternates = tuple[tuple[str, str], ...]
"""Hreflang and URL of each version, in the order of the hreflangs."""


_MAX_VERSIONS = 300
"""How many versions a page may name and list: more than any real page has, and too few to fill a file."""


def mutual_sets(
    facts: Mapping[str, DeclaredAlternates], is_of_site: Callable[[str], bool], *, needs_return: bool = False
) -> tuple[dict[str, Alternates], list[HreflangIssue]]:
    """The alternates of each listed page that has any, itself included, and the issues that were found.

    `facts` has every listed page that names versions or is named. A URL of the site (`is_of_site`) that is not listed
    is no version. Pages form a set if one names another, directly or through others; with `needs_return`, only if
    they name each other.
    """
    issues: list[HreflangIssue] = []
    claims = {loc: list(_claims(loc, versions, facts, is_of_site, issues)) for loc, versions in facts.items()}
    if needs_return:
        claims = _returned(claims, issues)
    alternates_by_loc: dict[str, Alternates] = {}
    for members in _clusters(claims):
        chosen = _resolved(members, claims, facts, issues)
        if len(set(chosen.values())) > 1:
            alternates = tuple(sorted(chosen.items()))
            alternates_by_loc |= {loc: alternates for loc in members if loc in chosen.values()}
    return alternates_by_loc, sorted(set(issues))


def _claims(
    loc: str,
    versions: DeclaredAlternates,
    facts: Mapping[str, DeclaredAlternates],
    is_of_site: Callable[[str], bool],
    issues: list[HreflangIssue],
) -> Iterator[tuple[str, str]]:
    """The declarations of a page with valid codes, and with URLs that are listed or on other sites."""
    for hreflang, url in versions.alternates[:_MAX_VERSIONS]:
        if problem := languages.problem(hreflang):
            issues.append(HreflangIssue(loc, "hreflang-code", f"{hreflang}: {problem}"))
        elif len(url) >= LOC_LIMIT or (is_of_site(url) and url not in facts):
            issues.append(HreflangIssue(loc, "alternate-unlisted", f"{hreflang}: {url}"))
        else:
            yield languages.normalize(hreflang), url


def _returned(
    claims: Mapping[str, Sequence[tuple[str, str]]], issues: list[HreflangIssue]
) -> dict[str, list[tuple[str, str]]]:
    """The claims without those about pages that do not name the claiming page back."""
    kept: dict[str, list[tuple[str, str]]] = {}
    for loc, named in claims.items():
        kept[loc] = []
        for code, url in named:
            if url == loc or url not in claims or any(back == loc for _, back in claims[url]):
                kept[loc].append((code, url))
            else:
                issues.append(HreflangIssue(loc, "alternate-unreturned", f"{code}: {url}"))
    return kept


def _clusters(claims: Mapping[str, Sequence[tuple[str, str]]]) -> Iterator[list[str]]:
    """The sets of pages that name one another, in order."""
    neighbors: dict[str, set[str]] = {loc: set() for loc in claims}
    for loc, named in claims.items():
        for _, url in named:
            if url in neighbors and url != loc:
                neighbors[loc].add(url)
                neighbors[url].add(loc)
    seen: set[str] = set()
    for loc in sorted(neighbors):
        if loc not in seen and neighbors[loc]:
            members = _reached(loc, neighbors)
            seen |= members
            yield sorted(members)
        elif loc not in seen and any(url != loc for _, url in claims[loc]):
            yield [loc]  # all of its versions are on other sites


def _reached(loc: str, neighbors: Mapping[str, Iterable[str]]) -> set[str]:
    found, left = {loc}, [loc]
    while left:
        new = set(neighbors[left.pop()]) - found
        found |= new
        left.extend(new)
    return found


def _resolved(
    members: Sequence[str],
    claims: Mapping[str, Sequence[tuple[str, str]]],
    facts: Mapping[str, DeclaredAlternates],
    issues: list[HreflangIssue],
) -> dict[str, str]:
    """One URL for each hreflang: one that claims the hreflang itself, else the one that most name, else the first."""
    votes = Counter((code, url) for loc in members for code, url in dict.fromkeys(claims[loc]))
    own = {(code, loc) for loc in members for code, url in claims[loc] if url == loc}
    for loc in members:
        if not any(url == loc for _, url in votes) and languages.problem(facts[loc].language or "?") == "":
            votes[languages.normalize(facts[loc].language), loc] += 1
    chosen: dict[str, str] = {}
    for code, url in sorted(votes, key=lambda each: (each not in own, -votes[each], each)):
        if len(chosen) < _MAX_VERSIONS:
            chosen.setdefault(code, url)
    for loc in members:
        for code, url in dict.fromkeys(claims[loc]):
            if chosen.get(code, url) != url:
                issues.append(HreflangIssue(loc, "alternates-contradict", f"{code}: {url}, others name {chosen[code]}"))
    return chosen
