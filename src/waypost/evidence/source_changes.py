"""Decides whether a commit changed what a source file gives a page: its text, and not only how that is written.

A commit that wraps lines anew, indents them, or marks lists, emphasis and headings in another way changes no page.
"""

import re
from collections.abc import Callable, Iterator, Sequence, Set

from waypost.core.page_changes import PageChange, Verdicts, Version
from waypost.evidence import source_text
from waypost.evidence.source_text import MARKDOWN_ENDINGS, TEXT_ENDINGS

Read = Callable[[Sequence[Version]], Iterator[bytes | None]]
"""Reads versions of files; None for one that cannot be read."""
_BATCH = 100
_FIELD_WORD = re.compile(r"[^\s\"'\[\]{},=]+")
_FIELD_MARKS = ":-+|>"
"""The marks before a value, an item or a text of several lines."""
_SPACE = re.compile(r"\s+")
_IDEOGRAPH = r"[\u2e80-\u9fff\uf900-\ufaff]"
_LETTER = r"[^\W\u2e80-\u9fff\uf900-\ufaff]"
_WORD_END = re.compile(rf"(?<={_LETTER})\s+(?={_LETTER})")
"""White space between two words, in scripts that write it."""
_BESIDE_IDEOGRAPH = re.compile(rf"(?<=\w)[ \t]+(?={_IDEOGRAPH})|(?<={_IDEOGRAPH})[ \t]+(?=\w)")
_COMMENT = re.compile(r"<!--(?!@)(?:(?!<!--|-->).)*+-->", re.DOTALL)
"""A comment; `<!--@include: a.md-->` is a command of VitePress."""
_ESCAPE = re.compile(r"(`[^`\n]*`)|\\(?=[!-/:-@\[-`{-~])")
"""A backslash that only says that a character is no mark (CommonMark, "Backslash escapes"), but not in code."""
_RULES = re.compile(r"[-=]{3,}")
"""Lines below headings and in tables, of which formatters choose the lengths."""
_QUOTATION = ">"
"""The mark of a quotation, which each of its lines or the first alone has; as the end of a tag it says nothing."""
_HEADING = re.compile(r"^[ ]{0,3}(#{1,6})[ \t]*([^#\s].*)$", re.MULTILINE)
"""A heading; of some generators it needs no space after its marks."""
_UNDERLINED = re.compile(r"^[ ]{0,3}(?![-+*>#|])(\S[^\n]*)\n[ ]{0,3}(=+|-{2,})[ \t]*$", re.MULTILINE)
"""A heading that a line below it marks, as formatters no longer write it (CommonMark, "Setext headings")."""
_AT_ENDS = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+|(?<![ \t])[ \t]+#+[ \t]*$", re.MULTILINE)
"""The mark of an item, and the marks at the end of a heading."""
_EMPHASIS = re.compile(r"(?<!\w)(_{1,2})(?=\S)([^_\n]{1,500})(?<=\S)\1(?!\w)")


class SourceChanges:
    """Compares the versions of source files before and after each commit; at most `budget` changes are looked at."""

    endings: tuple[str, ...] = TEXT_ENDINGS

    def __init__(self, read: Read, budget: int, read_ahead: Callable[[Sequence[Version]], object]) -> None:
        self._read, self._budget, self._read_ahead = read, budget, read_ahead

    def begin(self, page_count: int) -> None:
        """How many files there are decides nothing."""

    def expect(self, changes: Sequence[PageChange]) -> None:
        """Begin to read what the next checks will probably need."""
        self._read_ahead(_versions([change for change in changes if not _is_same(change)]))

    def sample(self, changes: Sequence[PageChange]) -> Sequence[PageChange]:
        """No other file is read to decide on one."""
        del changes
        return ()

    def check(self, changes: Sequence[PageChange], undecided: Set[str]) -> Verdicts:
        """Decide for the undecided files whether the commit changed them; beyond the budget it did."""
        own = [change for change in changes if change.path in undecided]
        unchanged = {change.path for change in own if _is_same(change)}
        others, unread = [change for change in own if not _is_same(change)], set[str]()
        for start in range(0, len(others[: self._budget]), _BATCH):
            batch = others[: self._budget][start : start + _BATCH]
            contents = self._read(_versions(batch))
            for change, after, before in zip(batch, contents, contents, strict=True):
                if after is None or before is None:
                    unread.add(change.path)
                elif _are_alike(change.path, after, before):
                    unchanged.add(change.path)
        self._budget -= len(others)
        return Verdicts(unchanged, unread=unread)


def _versions(changes: Sequence[PageChange]) -> list[Version]:
    return [version for change in changes for version in (change.after, change.before)]


def _is_same(change: PageChange) -> bool:
    return change.before == change.after


def _are_alike(path: str, after: bytes, before: bytes) -> bool:
    return max(len(after), len(before)) <= source_text.MAX_BYTES and _content(path, after) == _content(path, before)


def _content(path: str, data: bytes) -> tuple[str, Sequence[str]]:
    """What a file gives a page: its words without the marks that formatters choose, and its fields.

    Of front matter the words count in alphabetical order: the order of its fields, quotes and brackets say nothing. Of
    data the words count in their order, and of code all but white space.
    """
    text = data.decode("utf-8-sig", "surrogateescape").replace("\r\n", "\n")
    if source_text.is_code(path):
        return _words(text), ()
    if not source_text.is_markup(path):
        return "", _field_words(text)
    fields, rest = source_text.front_matter(text)
    shown = _COMMENT.sub("", rest)
    plain = _EMPHASIS.sub(lambda found: found[0].replace("_", "*"), _AT_ENDS.sub("", shown))
    if path.lower().endswith(MARKDOWN_ENDINGS):
        plain = _UNDERLINED.sub(_level_at_end, _HEADING.sub(r"\2 \1", plain)).replace(_QUOTATION, "")
    rows = "\n".join(map(_row, plain.split("\n"))) if "|" in plain else plain
    return _words(_ESCAPE.sub(r"\1", _RULES.sub("", rows))), sorted(_field_words(fields))


def _field_words(fields: str) -> list[str]:
    """The words of data or front matter without the marks around them, which differ between YAML, TOML and JSON."""
    found = _FIELD_WORD.findall(_BESIDE_IDEOGRAPH.sub("", fields))
    return [word.strip(":") for word in found if word.strip(_FIELD_MARKS)]


def _level_at_end(heading: re.Match[str]) -> str:
    """An underlined heading, with its level written as that of the others is."""
    return f"{heading[1]} {'#' if heading[2].startswith('=') else '##'}"


def _row(line: str) -> str:
    """A line; a row of a table without its first and last mark, which may be left out."""
    return line.strip(" \t").removeprefix("|").removesuffix("|") if line.count("|") > 1 else line


def _words(text: str) -> str:
    """A text without white space but for one mark between two words."""
    return _SPACE.sub("", _WORD_END.sub("\0", text))
