"""Decides from markers which source files a built page is made of.

Each source file of `benchmarks/generator_sites` has in its text a word of its own, `marker-…`.
A text that other files include has a word `included-…` instead. A page is made of the files whose words it holds, with
these rules:

1. A page whose path is that of a tag, a category, an author, or a numbered page of a list has no source.
2. If a page holds several markers, those that are the only one on another page belong to that page: this page
   quotes them, as a list of posts does.
3. A page that holds the word of an included text is made of that text, too.
4. A file with the texts of several pages is the source of each, but it is *shared*: nothing in the repository has
   the date of one of these texts.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_WORD = re.compile(r"\b(?:marker|included)-[a-z0-9-]*[a-z0-9]\b(?!-)")
_LIST = re.compile(
    r"""(?:^|/)(?:tags?|categor(?:y|ies)|authors?)(?:/|\.html$)  # the pages of a term, and the list of the terms
    |(?:^|/)(?!404\.)(?:page-?|index-?)?\d+(?:\.html|/index\.html)$  # a numbered page""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Truth:
    """The files that a page is made of, none if it has no source.

    `included` are those of them whose texts the page includes beside its own. `is_shared` if one of the files has other
    pages' texts, too.
    """

    files: frozenset[str]
    included: frozenset[str]
    is_shared: bool


def truths(pages: Mapping[str, str], sources: Mapping[str, str]) -> dict[str, Truth]:
    """The truth about each page by its path; `pages` and `sources` have texts by path."""
    files = {word: path for path, text in sorted(sources.items()) for word in words(text)}
    on_page = {key: words(text) & files.keys() for key, text in pages.items()}
    alone = {next(iter(found)) for key, found in on_page.items() if len(found) == 1 and not is_list(key)}
    own = {key: frozenset() if is_list(key) else _own(found, alone) for key, found in on_page.items()}
    shared = _shared(files, own)
    return {key: _truth(found, files, shared) for key, found in own.items()}


def _truth(found: frozenset[str], files: Mapping[str, str], shared: frozenset[str]) -> Truth:
    made_of = frozenset(files[word] for word in found)
    own = frozenset(files[word] for word in found if word.startswith("marker-"))
    return Truth(made_of, made_of - own if own else frozenset(), bool(made_of & shared))


def words(text: str) -> frozenset[str]:
    """The words of a text that identify source files."""
    return frozenset(_WORD.findall(text))


def is_list(key: str) -> bool:
    """Whether a page's path is that of a term, or of a numbered page of a list."""
    return bool(_LIST.search(key))


def _own(found: frozenset[str], alone: set[str]) -> frozenset[str]:
    if len(found) == 1:
        return found
    return frozenset(word for word in found if word not in alone or word.startswith("included-"))


def _shared(files: Mapping[str, str], own: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The files that have a word which only one page holds, and another word which only another page holds."""
    pages_by_word: dict[str, set[str]] = {}
    for key, found in own.items():
        for word in found:
            pages_by_word.setdefault(word, set()).add(key)
    groups: dict[str, set[frozenset[str]]] = {}
    for word, keys in pages_by_word.items():
        groups.setdefault(files[word], set()).add(frozenset(keys))
    return frozenset(path for path, found in groups.items() if len(found) > 1)
