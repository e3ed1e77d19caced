"""Pages that are versions of one another: the hreflang sets of their sitemaps, complete and reciprocal.

Readers ignore a version that does not name the others back (Google, "Localized versions of your pages"). So
what any page of a set says of it is said of all of them; where they contradict each other, one rule decides for all.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from waypost.core import languages
from waypost.core.urls import LOC_LIMIT


class DeclaredAlternates(NamedTuple):
    """What a page says of its versions: hreflang and URL of each, and the language that it is in itself, or `""`."""

    alternates: Sequence[tuple[str, str]]
    language: str = ""


class HreflangIssue(NamedTuple):
    """A page whose word on its versions was not taken as it is: the code of a warning, and what was seen."""

    loc: str
    code: str
    detail: str


Alternates = tuple[tuple[str, str], ...]
"""Hreflang and URL of each version, in the order of the hreflangs."""


_MOST = 300
"""So many versions are taken of a page's word, and listed of a page: more than it may have, and less than a file."""


def mutual_sets(
    facts: Mapping[str, DeclaredAlternates], is_of_site: Callable[[str], bool], *, needs_return: bool = False
) -> tuple[dict[str, Alternates], list[HreflangIssue]]:
    """The alternates of each listed page that has any, itself among them, and what was doubtful.

    `said` has every listed page that names versions or is named; a URL of the site (`is_of_site`) that is not
    listed is no version. Pages that name one another, or are named, directly or by others, are one set; where a
    name `needs_return`, only those that name one another are.
    """
    issues: list[HreflangIssue] = []
    claims = {loc: list(_claims(loc, versions, facts, is_of_site, issues)) for loc, versions in facts.items()}
    if needs_return:
        claims = _returned(claims, issues)
    made: dict[str, Alternates] = {}
    for members in _clusters(claims):
        chosen = _chosen(members, claims, facts, issues)
        if len(set(chosen.values())) > 1:
            alternates = tuple(sorted(chosen.items()))
            made |= {loc: alternates for loc in members if loc in chosen.values()}
    return made, sorted(set(issues))


def _claims(
    loc: str,
    versions: DeclaredAlternates,
    facts: Mapping[str, DeclaredAlternates],
    is_of_site: Callable[[str], bool],
    issues: list[HreflangIssue],
) -> Iterator[tuple[str, str]]:
    """What a page says that may be true: of codes that there are, and pages that are listed or elsewhere."""
    for hreflang, url in versions.alternates[:_MOST]:
        if problem := languages.problem(hreflang):
            issues.append(HreflangIssue(loc, "hreflang-code", f"{hreflang}: {problem}"))
        elif len(url) >= LOC_LIMIT or (is_of_site(url) and url not in facts):
            issues.append(HreflangIssue(loc, "alternate-unlisted", f"{hreflang}: {url}"))
        else:
            yield languages.normalize(hreflang), url


def _returned(
    claims: Mapping[str, Sequence[tuple[str, str]]], issues: list[HreflangIssue]
) -> dict[str, list[tuple[str, str]]]:
    """The claims without those on pages that do not name the claimant back."""
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
    """The pages that name one another, set by set, in their order."""
    beside: dict[str, set[str]] = {loc: set() for loc in claims}
    for loc, named in claims.items():
        for _, url in named:
            if url in beside and url != loc:
                beside[loc].add(url)
                beside[url].add(loc)
    seen: set[str] = set()
    for loc in sorted(beside):
        if loc not in seen and beside[loc]:
            members = _reached(loc, beside)
            seen |= members
            yield sorted(members)
        elif loc not in seen and any(url != loc for _, url in claims[loc]):
            yield [loc]  # all of its versions are elsewhere


def _reached(loc: str, beside: Mapping[str, Iterable[str]]) -> set[str]:
    found, left = {loc}, [loc]
    while left:
        new = set(beside[left.pop()]) - found
        found |= new
        left.extend(new)
    return found


def _chosen(
    members: Sequence[str],
    claims: Mapping[str, Sequence[tuple[str, str]]],
    facts: Mapping[str, DeclaredAlternates],
    issues: list[HreflangIssue],
) -> dict[str, str]:
    """One URL for each hreflang: the one that says so itself, or that most say, or the first."""
    votes = Counter((code, url) for loc in members for code, url in dict.fromkeys(claims[loc]))
    own = {(code, loc) for loc in members for code, url in claims[loc] if url == loc}
    for loc in members:
        if not any(url == loc for _, url in votes) and languages.problem(facts[loc].language or "?") == "":
            votes[languages.normalize(facts[loc].language), loc] += 1
    chosen: dict[str, str] = {}
    for code, url in sorted(votes, key=lambda each: (each not in own, -votes[each], each)):
        if len(chosen) < _MOST:
            chosen.setdefault(code, url)
    for loc in members:
        for code, url in dict.fromkeys(claims[loc]):
            if chosen.get(code, url) != url:
                issues.append(HreflangIssue(loc, "alternates-contradict", f"{code}: {url}, others say {chosen[code]}"))
    return chosen
