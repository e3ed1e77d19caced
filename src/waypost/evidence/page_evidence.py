"""Gathers the evidence for each built page: the texts of files on it, its links to files, and dates that agree."""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence

from waypost.evidence import source_text
from waypost.evidence.page_sources import PageEvidence
from waypost.evidence.page_text import PageText
from waypost.evidence.source_links import SourceLinks
from waypost.evidence.text_matches import Boilerplate, TextMatches, packed_shingles


def gather_evidence(
    texts: Mapping[str, PageText],
    files: Sequence[str],
    read: Callable[[str], bytes],
    dated: Callable[[str], frozenset[str]],
    preset: Callable[[str], Iterable[str]],
) -> list[PageEvidence]:
    """The evidence for pages, whose texts are given by key; `files` are those that may have text, and `read` reads one.

    `dated` names the files with the date of a page, and `preset` those that a generator's preset names.
    """
    boilerplate = Boilerplate(text.lines for text in texts.values())
    own = {key: packed_shingles(boilerplate.own_lines(text.lines)) for key, text in texts.items()}
    found = ((path, _shingles(path, read(path), boilerplate)) for path in files)
    matches, links = TextMatches(own, {path: shingles for path, shingles in found if shingles}), SourceLinks(files)
    return [
        PageEvidence(
            key,
            tuple(matches.of(key)),
            text.language.partition("-")[0],
            links.files(text.source_links),
            dated(key),
            tuple(preset(key)),
        )
        for key, text in texts.items()
    ]


def _shingles(path: str, data: bytes, boilerplate: Boilerplate) -> "array[int]":
    return packed_shingles(source_text.read_blocks(path, data), boilerplate.shingles)
