import pytest

from waypost.config import output_formats
from waypost.config.output_formats import HTML, TEXT, XML, FileFormat


@pytest.mark.parametrize(
    ("names", "expected"),
    [([], []), (["xml"], [XML]), (["html", "text", "xml"], [XML, TEXT, HTML]), (["text", "other"], [TEXT])],
)
def test_formats_come_in_the_table_s_order(names: list[str], expected: list[FileFormat]) -> None:
    assert list(output_formats.chosen(names)) == expected


@pytest.mark.parametrize(("names", "shown"), [(("xml", "text"), False), (("xml", "html"), True), ((), False)])
def test_titles_are_read_for_a_format_that_shows_them(names: tuple[str, ...], shown: bool) -> None:
    assert output_formats.with_titles(names) is shown


@pytest.mark.parametrize(
    ("ending", "expected"), [("xml", XML), ("txt", TEXT), ("html", HTML), ("gz", None), ("", None)]
)
def test_an_ending_belongs_to_one_format(ending: str, expected: FileFormat | None) -> None:
    assert output_formats.with_ending(ending) == expected


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
    ],
)
def test_a_file_has_a_format_by_its_name(name: str, expected: FileFormat | None) -> None:
    assert output_formats.format_of(name) == expected
