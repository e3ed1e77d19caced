import pytest

from waypost.settings import output_formats
from waypost.settings.output_formats import HTML, LLMS, TEXT, XML, FileFormat


@pytest.mark.parametrize(
    ("names", "expected"),
    [([], []), (["xml"], [XML]), (["html", "text", "xml"], [XML, TEXT, HTML]), (["text", "other"], [TEXT])],
)
def test_formats_come_in_the_table_s_order(names: list[str], expected: list[FileFormat]) -> None:
    assert list(output_formats.chosen(names)) == expected


@pytest.mark.parametrize(("names", "shown"), [(("xml", "text"), False), (("xml", "html"), True), ((), False)])
def test_titles_are_read_for_a_format_that_shows_them(names: tuple[str, ...], shown: bool) -> None:
    assert output_formats.with_titles(names) is shown


@pytest.mark.parametrize(("names", "shown"), [(("xml", "html"), False), (("xml", "llms"), True), ((), False)])
def test_descriptions_are_read_for_a_format_that_shows_them(names: tuple[str, ...], shown: bool) -> None:
    assert output_formats.with_descriptions(names) is shown


@pytest.mark.parametrize(
    ("name", "begins"), [("llms", True), ("llms-a", True), ("llms.txt", True), ("llmsa", False), ("a-llms", False)]
)
def test_a_stem_is_the_whole_first_part_of_a_name(name: str, begins: bool) -> None:
    assert output_formats.stems() == ["llms"]
    assert output_formats.begins_with_stem(name, "llms") is begins


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sitemap.xml", XML),
        ("sitemap.xml.gz", XML),
        ("sitemap.txt.gz", TEXT),
        ("sitemap.html", HTML),
        ("sitemap.html.gz", None),
        ("sitemap.xml.gz.gz", None),
        ("sitemap.css", None),
        ("xml", None),
        ("sitemapxml", None),
        ("sitemap.xml.html", HTML),
        ("llms.txt", LLMS),
        ("llms-0123456789abcdef.txt", LLMS),
        ("llms.txt.gz", TEXT),
        ("llmstxt.txt", TEXT),
        ("llms.xml", XML),
    ],
)
def test_a_file_has_a_format_by_its_name(name: str, expected: FileFormat | None) -> None:
    assert output_formats.format_of(name) == expected
