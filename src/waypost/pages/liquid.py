"""Divides a template in Liquid into its tags and its text."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_NAME = re.compile(r"-?\s*+(\w*+)")
_BLOCKS = ("if", "unless", "case", "for", "tablerow", "capture", "comment", "raw", "ifchanged")
_NOT_RUN = ("comment", "raw")


class Tag(NamedTuple):
    """The name of a tag, and what follows it."""

    name: str
    markup: str


def tags(text: str) -> Iterator[Tag]:
    """The tags of a template, without those in comments and in raw text."""
    block = ""
    for start, end in enclosed(text, "{%", "%}"):
        found = _NAME.match(text, start + 2, end - 2)
        name = found[1] if found else ""
        if block:
            block = "" if name == f"end{block}" else block
        elif name in _NOT_RUN:
            block = name
        elif found:
            yield Tag(name, text[found.end() : end - 2].strip().removesuffix("-").rstrip())


def unconditional(text: str) -> Iterator[str]:
    """The parts of a template that no block of Liquid encloses."""
    depth = end = 0
    for tag_start, tag_end in enclosed(text, "{%", "%}"):
        if not depth:
            yield text[end:tag_start]
        tag = _NAME.match(text, tag_start + 2, tag_end - 2)
        name = tag[1] if tag else ""
        if name in _BLOCKS:
            depth += 1
        elif depth and name.startswith("end") and name.removeprefix("end") in _BLOCKS:
            depth -= 1
        end = tag_end
    if not depth:
        yield text[end:]


def enclosed(text: str, opening: str, closing: str) -> Iterator[tuple[int, int]]:
    """Where a text has a mark, and where the next closing mark after it ends; one that is not closed does not count."""
    start = text.find(opening)
    while start >= 0 and (end := text.find(closing, start + len(opening))) >= 0:
        yield start, end + len(closing)
        start = text.find(opening, end + len(closing))
