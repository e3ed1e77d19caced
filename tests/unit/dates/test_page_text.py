import pytest

from waypost.dates import paths
from waypost.dates.page_evidence import PageText, read_page_text


def read(text: str) -> PageText:
    return read_page_text(text.encode())


def test_the_lines_are_the_title_and_the_visible_text() -> None:
    found = read(
        "<html><head><title>The title</title><style>a{}</style><script>let a</script></head>"
        "<body><h1>Heading</h1><p>Some <b>bold</b> text.</p><!-- hidden --><template>kept</template></body></html>"
    )
    assert found.lines[0] == "The title"
    assert list(found.lines[1:]) == ["Heading", "Some bold text."]


@pytest.mark.parametrize(
    ("head", "language"), [('<html lang="de">', "de"), ('<html lang=" PT-br ">', "pt-br"), ("", "")]
)
def test_the_language_is_that_of_the_root_element(head: str, language: str) -> None:
    assert read(f"{head}<p>text</p>").language == language


@pytest.mark.parametrize(
    ("name", "version"),
    [("v1.9", (1, 9)), ("3.x", (3,)), ("current", paths.UNRELEASED_VERSION), ("stable", ()), ("", ())],
)
def test_the_version_is_the_one_that_docusaurus_says(name: str, version: tuple[int, ...]) -> None:
    assert read(f'<meta data-rh="true" name="docusaurus_version" content="{name}"><p>text').version == version
    assert read(f'<meta name="docsearch:docusaurus_tag" content="docs-default-{name}"><p>text').version == version
    assert read(f'<meta name="version" content="{name}"><p>text').version == ()


@pytest.mark.parametrize(
    "href",
    [
        "https://example.org/o/r/edit/main/docs/a.md",
        "https://example.org/o/r/blob/main/docs/a.md",
        "https://example.org/o/r/src/branch/main/a.md",
        "../_sources/a.rst.txt",
    ],
)
def test_links_to_sources_are_kept_as_they_are_written(href: str) -> None:
    assert read(f'<a href="/">home</a><a href="{href}">Edit</a><a href="{href}">again</a>').source_links == (href,)


@pytest.mark.parametrize("link", ['<a href="/about/">', "<a href>", '<a name="/edit/">', '<link href="/x/edit/a">'])
def test_other_links_are_no_links_to_sources(link: str) -> None:
    assert read(f"{link}text</a>").source_links == ()


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ('<meta property="article:modified_time" content="2020-02-03T04:05:06+02:00">', ("2020-02-03T02:05:06Z",)),
        ('<meta name="Last-Modified" content="2020-02-03T02:05:06Z">', ("2020-02-03T02:05:06Z",)),
        ('<time datetime="2020-02-03T02:05:06.000Z">3 February</time>', ("2020-02-03T02:05:06Z",)),
        (
            '<script type="application/ld+json">{"@type":"Article","dateModified":"2020-02-03T02:05:06Z"}</script>',
            ("2020-02-03T02:05:06Z",),
        ),
        ('<time datetime="2020-02-03">a</time><time datetime="2020-02-03">b</time>', ("2020-02-03",)),
        ('<time datetime="PT5M">5 minutes</time><time datetime>now</time>', ()),
    ],
)
def test_the_dates_are_those_that_a_page_gives_itself(text: str, dates: tuple[str, ...]) -> None:
    assert read(f"<html><head><title>t</title></head><body>{text}</body></html>").dates == dates


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_page_is_read_in_the_encoding_of_its_byte_order_mark(encoding: str) -> None:
    assert read_page_text("<title>Größe</title><p>naïve".encode(encoding)).lines == ("Größe", "naïve")


@pytest.mark.parametrize("data", [b"", b"<", b"<html", b"<!-- "])
def test_what_is_hardly_a_page_has_no_text_and_is_no_error(data: bytes) -> None:
    found = read_page_text(data)
    assert (found.language, found.source_links, found.dates) == ("", (), ())


def test_of_a_very_large_page_the_beginning_is_read() -> None:
    found = read("<title>first</title>" + "<p>filler</p>" * 60_000 + "<p>last</p>")
    assert found.lines[0] == "first"
    assert "last" not in found.lines


def test_a_page_that_exceeds_a_bound_has_the_text_before_it() -> None:
    assert read_page_text(b"<title>Title</title>before" + b"<div>" * 30_000 + b"after").lines == ("Title", "before")
