import pytest
from unit.sample_sites import site

from waypost.settings.output_formats import FILE_FORMATS, FileFormat
from waypost.settings.output_names import MARK, output_names
from waypost.sitemaps import format_registry
from waypost.sitemaps.text_format import TextFormat


class Csv(TextFormat):
    """Text under another ending."""

    file = FileFormat("csv", "csv", "csv", is_marked=False)


@pytest.mark.parametrize(
    ("formats", "names"),
    [
        (["xml"], ["xml"]),
        (["html", "text", "xml"], ["xml", "text", "html"]),
        (["text", "html"], ["text", "html"]),
        (["llms", "text"], ["text", "llms"]),
    ],
)
def test_the_first_format_of_a_site_is_the_one_that_indexes_list(formats: list[str], names: list[str]) -> None:
    the_site = site(formats=formats)
    assert [each.file.name for each in format_registry.site_formats(the_site)] == names
    assert format_registry.main_format(the_site) is format_registry.format_named(names[0])


@pytest.mark.parametrize(
    ("name", "format_name"),
    [
        ("sitemap.xml.gz", "xml"),
        ("sitemap.txt", "text"),
        ("sitemap.html", "html"),
        ("llms.txt", "llms"),
        ("sitemap.html.gz", ""),
        ("sitemap.css", ""),
    ],
)
def test_a_file_has_its_format_by_its_name(name: str, format_name: str) -> None:
    assert format_registry.format_of(name) is (format_registry.format_named(format_name) if format_name else None)


@pytest.mark.parametrize(
    ("name", "body", "is_own"),
    [
        ("sitemap.xml", MARK.encode(), True),
        ("sitemap.xml", b"<urlset/>", False),
        ("sitemap.xml", None, False),
        ("sitemap.css", f"/* {MARK} */".encode(), True),
        ("sitemap.css", b"a {}", False),
        ("sitemap.txt", b"", True),
        ("sitemap-by-hand.txt", MARK.encode(), False),
    ],
)
def test_a_published_file_is_waypost_s_by_its_mark_or_else_by_its_name(
    name: str, body: bytes | None, is_own: bool
) -> None:
    assert format_registry.is_own_file(name, body, output_names(site(formats=["xml", "text"]))) is is_own


def test_an_added_format_is_in_both_tables_until_the_context_ends() -> None:
    before = dict(FILE_FORMATS), format_registry.crawled_kinds()
    added = Csv()
    with format_registry.extra_format(added):
        assert format_registry.format_of("sitemap.csv.gz") is added
        assert format_registry.crawled_kinds() == [*before[1], "csv"]
        assert format_registry.format_named("csv") is added
    with pytest.raises(LookupError), format_registry.extra_format(added):
        raise LookupError
    assert (FILE_FORMATS, format_registry.crawled_kinds()) == before
    with pytest.raises(ImportError):
        format_registry.format_named("csv")


@pytest.mark.parametrize(("name", "ending"), [("xml", "new"), ("new", "xml"), ("new", "txt")])
def test_a_name_and_an_ending_belong_to_one_format(name: str, ending: str) -> None:
    class Other(Csv):
        """A format that takes what another has."""

        file = FileFormat(name, ending, "other")

    before = dict(FILE_FORMATS)
    with pytest.raises(ValueError, match="there is an output format"), format_registry.extra_format(Other()):
        pass
    assert before == FILE_FORMATS
