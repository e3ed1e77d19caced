"""The parts of files that pages show because their sources name them, and how much of a page its sources explain."""

from collections.abc import Mapping

import pytest

from waypost.dates import source_text
from waypost.dates.file_parts import Part
from waypost.dates.named_parts import NamedParts
from waypost.dates.page_parts import PageParts
from waypost.dates.text_matches import shingles


def words(name: str, count: int = 24) -> str:
    return " ".join(f"{name}{n}" for n in range(count))


def parts_of(files: Mapping[str, str], *page: str) -> PageParts:
    def read(path: str) -> bytes:
        return files[path].encode()

    return PageParts({"a.html": shingles(page)}, NamedParts(list(files), read), read)


@pytest.mark.parametrize(("shown", "is_part"), [(24, True), (6, True), (5, False), (0, False)])
def test_a_named_file_is_a_part_if_a_tenth_of_its_text_is_on_the_page(shown: int, *, is_part: bool) -> None:
    files = {"a.md": "{{< include b.md >}}", "b.md": words("b")}
    found = parts_of(files, words("own"), " ".join(words("b").split()[:shown])).of("a.html", ["a.md"])
    assert found == ((Part("b.md"),) if is_part else ())


def test_a_file_that_is_not_named_is_no_part() -> None:
    files = {"a.md": words("own"), "b.md": words("b")}
    assert parts_of(files, words("own"), words("b")).of("a.html", ["a.md"]) == ()


def test_named_files_name_others_to_a_depth_and_cycles_end() -> None:
    files = {f"{n}.md": f"{{{{< include {n + 1}.md >}}}}\n\n{words(f'text{n}x')}" for n in range(8)}
    files["1.md"] += "\n{{< include 0.md >}}{{< include 1.md >}}"
    found = parts_of(files, *(words(f"text{n}x") for n in range(8))).of("a.html", ["0.md"])
    assert [part.path for part in found] == ["1.md", "2.md", "3.md", "4.md", "5.md"]


def test_only_the_region_that_is_named_must_be_on_the_page() -> None:
    files = {
        "a.adoc": "include::b.rb[tag=one]\ninclude::b.rb[tag=two]",
        "b.rb": f"# tag::one[]\n{words('one')}\n# end::one[]\n# tag::two[]\n{words('two')}\n# end::two[]\n",
    }
    assert parts_of(files, words("two")).of("a.html", ["a.adoc"]) == (Part("b.rb", "tag:two"),)


def test_a_docstring_is_a_part_and_code_is_none() -> None:
    files = {
        "a.rst": ".. autofunction:: garden.water",
        "garden.py": f'def water():\n    """{words("doc")}"""\n    """{words("code")}"""\n',
    }
    assert parts_of(files, words("doc")).of("a.html", ["a.rst"]) == (Part("garden.py", "object:water"),)
    assert parts_of(files, words("code")).of("a.html", ["a.rst"]) == ()


@pytest.mark.parametrize(
    ("rows", "cells", "is_part"),
    [(3, 6, True), (3, 4, True), (3, 3, False), (1, 2, False), (15, 30, True)],
)
def test_a_table_in_the_folder_of_an_index_is_a_part_if_half_of_its_values_are_on_the_page(
    rows: int, cells: int, *, is_part: bool
) -> None:
    table = [[f"tree{n}", str(n)] for n in range(rows)]
    files = {"a/index.md": words("own"), "a/b.csv": "name,height\n" + "\n".join(map(",".join, table))}
    shown = [cell for row in table for cell in row][:cells]
    found = parts_of(files, words("own"), *shown).of("a.html", ["a/index.md"])
    assert found == ((Part("a/b.csv"),) if is_part else ())


def test_sources_explain_a_page_with_their_front_matter_and_the_parts_that_they_name() -> None:
    files = {
        "a.md": "---\npeople:\n  - name: Ada Stone\n  - name: Bo Reed\n---\n{{< include b.md >}}\n\n" + words("own"),
        "b.md": words("b"),
    }
    parts = parts_of(files, "Ada Stone", "Bo Reed", words("own"), words("b"), words("else", 22))
    assert parts.share("a.html", ["a.md"]) == pytest.approx(42 / 60)
    assert parts.share("a.html", ["b.md"]) == pytest.approx(20 / 60)
    assert parts.share_of_fields("a.html", "a.md") == pytest.approx(2 / 60)


@pytest.mark.parametrize(("count", "share"), [(13, 1.0), (14, 0.0)])
def test_of_a_page_with_little_text_of_its_own_nothing_can_be_said(count: int, share: float) -> None:
    assert parts_of({"a.md": "other"}, words("own", count)).share("a.html", ["a.md"]) == share


MODULE = f'''"""{words("module")}"""
class Pump:
    """{words("pump")}"""
    {words("code")}
'''.replace(words("code"), "\n    ".join(f"{word} = 1" for word in words("code").split()))


@pytest.mark.parametrize(("shown", "is_shown"), [(16, True), (10, False), (0, False)])
def test_a_module_dates_a_page_by_its_docstrings_unless_the_page_shows_its_code(shown: int, *, is_shown: bool) -> None:
    code = " ".join(f"{word} = 1" for word in words("code").split()[:shown])
    parts = parts_of({"garden.py": MODULE}, words("module"), words("pump"), code)
    assert parts.shows_code("a.html", "garden.py") == is_shown


def test_docstrings_name_further_objects_and_other_regions_name_nothing() -> None:
    files = {
        "a.rst": ".. automodule:: garden",
        "garden.py": f'"""\n.. autoclass:: Pump\n"""\nclass Pump:\n    """{words("pump")}"""\n',
        "b.rst": ".. include:: c.rst\n   :start-after: MARK",
        "c.rst": f".. autoclass:: garden.Pump\n\nMARK\n\n{words('c')}\n\n.. autoclass:: garden.Pump\n",
    }
    parts = parts_of(files, words("pump"), words("c"))
    assert parts.of("a.html", ["a.rst"]) == (Part("garden.py", "object:Pump"),)
    assert [part.path for part in parts.of("a.html", ["b.rst"])] == ["c.rst"]


@pytest.mark.parametrize(("size", "is_part"), [(10, True), (source_text.MAX_BYTES, False)])
def test_a_module_that_is_too_large_to_compare_has_no_parts(size: int, *, is_part: bool) -> None:
    code = f'def water():\n    """{words("doc")}"""\n#{"x" * size}'
    files = {"a.rst": ".. autofunction:: garden.water", "garden.py": code}
    assert bool(parts_of(files, words("doc")).of("a.html", ["a.rst"])) == is_part


@pytest.mark.parametrize(
    ("key", "linked", "expected"),
    [
        ("api/garden.Pump.start.html", [], Part("garden.py", "members:Pump.start")),
        ("api/Pump.start.html", ["garden.py"], Part("garden.py", "members:Pump.start")),
        ("api/Pump.start.html", [], None),
        ("api/water.html", ["garden.py"], None),
    ],
)
def test_a_page_that_is_named_for_an_object_shows_its_docstrings(
    key: str, linked: list[str], expected: Part | None
) -> None:
    code = f'class Pump:\n    """{words("pump")}"""\n    def start(self):\n        """{words("start")}"""\n'
    parts = PageParts(
        {key: shingles([words("start")])},
        NamedParts(["garden.py"], lambda path: code.encode()),
        lambda path: code.encode(),
    )
    found = parts.documented(key, linked)
    assert (found[0] if found and found[1] else None) == expected
