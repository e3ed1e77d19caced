"""Which commits changed what a source gives a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from waypost.core.page_changes import PageChange, Verdicts, Version
from waypost.evidence import SourceChanges

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FRONT = "---\ntitle: Roses\ntags: [red, garden]\n---\n"


def checker(versions: dict[bytes, bytes | None], budget: int = 100) -> SourceChanges:
    def read(wanted: Sequence[Version]) -> Iterator[bytes | None]:
        return (versions[each] for each in wanted if isinstance(each, bytes))

    return SourceChanges(read, budget, lambda versions: None)


def is_unchanged(path: str, before: str, after: str) -> bool:
    check = checker({b"1": before.encode(), b"2": after.encode()})
    return check.check([PageChange(path, b"1", b"2")], {path}).unchanged == {path}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("One two\nthree four.\n", "One two three\nfour.\n"),
        ("* one\n* two\n", "- one\n- two\n"),
        ("Text\n\n* one\n* two\n", "Text\n\n- one\n- two\n"),
        ("1) one\n2) two\n", "1. one\n2. two\n"),
        ("Text *here* and **there**.", "Text _here_ and __there__."),
        ("# Title #\n\nText", "# Title\n\n\nText\n"),
        ("Title\n=====\n\nText\n\nPart\n---\n", "# Title\n\nText\n\n## Part\n"),
        ("##Part\n\nText\n\n ### More", "## Part\n\nText\n\n### More"),
        ("One\ntwo\n---\n", "One two\n-----\n"),
        ("| a | b |\n|---|---|\n| c | d |", "| a   | b   |\n| --- | --- |\n| c   | d   |"),
        (FRONT + "Text", "---\ntags:\n  - red\n  - garden\ntitle: 'Roses'\n---\n\nText\n"),
        ("Text\r\nmore\r\n", "Text\nmore\n"),
        ((FRONT + "Text").replace("\n", "\r\n"), FRONT + "Text"),
        ("日本語の\n文章です。", "日本語の文章です。"),
        ("Text\n\nmore", "Text\n\n<!-- todo:\na picture -->\n\nmore"),
        (":white_check_mark: and a*b", r":white\_check\_mark: and a\*b"),
        ("a | b\n---|---\nc | d", "| a | b |\n|---|---|\n| c | d |"),
        ("> One two\n> three four.\n", "> One two three\nfour.\n"),
        ("> One\n---\n", "> One\n>\n\n---\n"),
        ('<a href="/">Text</a>', '<a\n  href="/"\n>Text</a\n>'),
        ("\ufeff" + FRONT + "Text", FRONT + "Text"),
        (FRONT + "Text", '+++\ntitle = "Roses"\ntags = ["garden", "red"]\n+++\nText'),
        (
            "---\ntitle: PHP知识点\ntags: [用PHP吗]\n---\nText",
            '---\ntitle: "PHP 知识点"\ntags: ["用 PHP 吗"]\n---\nText',
        ),
        ("---\nsummary: One two\n---\nText", "---\nsummary: >-\n  One\n  two\n---\nText"),
    ],
)
def test_a_text_that_is_only_written_in_another_way_is_unchanged(before: str, after: str) -> None:
    assert is_unchanged("a.md", before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("One two.", "One three."),
        ("One two", "One two!"),
        ("Text <!--@include: a.md-->", "Text <!--@include: b.md-->"),
        ("It works around this.", "It workaround this."),
        ("Text work around", "Text workaround"),
        ("##Part", "###Part"),
        ("| a | b |", "| a b |"),
        (FRONT + "Text", FRONT.replace("Roses", "Red roses") + "Text"),
        (FRONT + "Text", FRONT.replace("garden", "park") + "Text"),
        ("<!--\n.. title: Roses\n.. author: ann\n-->\n\nText", "<!--\n.. title: Roses\n.. author: Ann B.\n-->\n\nText"),
        ("---\ntitle: PHP知识点\n---\nText", "---\ntitle: PHP知识\n---\nText"),
        ("---\ntags: [Codegate CTF]\n---\nText", "---\ntags: [CodegateCTF]\n---\nText"),
        (r"Text `\[T\]`", "Text `[T]`"),
        (FRONT + "Text", FRONT.replace("Roses", "Roses.") + "Text"),
        ("Text {{< include a >}}", "Text {{< include b >}}"),
        (".. include:: a.txt\n\nText", ".. include:: b.txt\n\nText"),
        ("one\n\ntwo", "two\n\none"),
        ("[text](a.md)", "[text](b.md)"),
        ("Use `a_b|c`", "Use `ab|c`"),
        ("C#", "C"),
        ("Text\n\n**Part**\n", "Text\n\nPart\n"),
        ("Text\n\n## Part\n", "Text\n\n# Part\n"),
        ("x" * 600_000, "x" * 600_001),
    ],
)
def test_another_text_or_another_command_is_a_change(before: str, after: str) -> None:
    assert not is_unchanged("a.md", before, after)


@pytest.mark.parametrize("path", ["a.markdown", "a.mkd", "a.qmd"])
def test_a_heading_of_markdown_may_be_marked_in_another_way(path: str) -> None:
    assert is_unchanged(path, "Title\n=====\n\nText", "# Title\n\nText")


def test_the_lines_below_headings_of_restructured_text_may_be_of_other_characters() -> None:
    assert is_unchanged("a.rst", "Title\n=====\n\nText", "Title\n-----\n\nText")


@pytest.mark.parametrize("path", ["a.json", "a.yml"])
def test_of_data_the_words_count(path: str) -> None:
    assert is_unchanged(path, '{"a":"b c",}', "{\n  'a': 'b c'\n}\n")
    assert is_unchanged(path, '{"a":1}', '{"a" : 1}')
    assert is_unchanged(path, "a: [b, c]", "a:\n  - b\n  - c")
    assert not is_unchanged(path, '{"a":"b c"}', '{"a":"c b"}')


def test_of_code_all_but_white_space_counts() -> None:
    assert is_unchanged("a.vue", "<p>Adds {x}</p>", "<p>\n  Adds {x}\n</p>")
    assert not is_unchanged("a.astro", "<td>$19</td>", "<td>$29</td>")
    assert not is_unchanged("a.jsx", "<p>Hello {name}, one</p>", "<p>Hello {name}, two</p>")


@pytest.mark.parametrize(
    ("path", "before", "after"), [("a.yml", "n: -5", "n: 5"), ("a.json", '["C"]', '["C++"]'), ("a.yml", "- ✓", "- ✗")]
)
def test_of_data_signs_count(path: str, before: str, after: str) -> None:
    assert not is_unchanged(path, before, after)


@pytest.mark.parametrize("text", ["x" + " " * 400_000 + "y", "---\na: " + "-" * 400_000 + "\n---\n"])
def test_hostile_texts_take_no_time_out_of_proportion(text: str) -> None:
    assert is_unchanged("a.md", text, text + "\n")


def test_a_move_of_the_same_bytes_is_unchanged_without_being_read() -> None:
    assert checker({}).check([PageChange("b.md", b"1", b"1", 0, "a.md")], {"b.md"}) == Verdicts({"b.md"})


def test_only_files_that_are_asked_about_are_read_and_those_that_cannot_be_read_are_named() -> None:
    changes = [PageChange(f"{name}.md", b"1", b"2") for name in "ab"]
    check = checker({b"1": b"text", b"2": None})
    assert check.check(changes, {"a.md"}) == Verdicts(unread=frozenset({"a.md"}))
    assert check.sample(changes) == ()


def test_beyond_the_budget_files_are_changed() -> None:
    check = checker({b"1": b"text", b"2": b"text\n"}, budget=1)
    assert check.check([PageChange(f"{name}.md", b"1", b"2") for name in "ab"], {"a.md", "b.md"}).unchanged == {"a.md"}
    assert check.check([PageChange("c.md", b"1", b"2")], {"c.md"}).unchanged == set()
