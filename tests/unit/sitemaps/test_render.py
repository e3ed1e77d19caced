from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from waypost.core.errors import RenderError
from waypost.core.model import IndexChild, Page
from waypost.core.sitemap_rows import SitemapRows, escape_all
from waypost.settings.output_names import MARK
from waypost.sitemaps.render import Renderer, overriding_templates

TESTS = Path(__file__).parents[2]
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
PAGES = [
    Page("index.html", "https://example.org/", lastmod="2026-03-01T12:00:00Z"),
    Page("a&b.html", "https://example.org/a&b.html", lastmod="2026-03-01", changefreq="daily", priority="0.8"),
    Page("it's.html", "https://example.org/it's.html", changefreq="never"),
    Page("plain.html", "https://example.org/plain.html"),
    Page('ü "<>.html', "https://example.org/%C3%BC%20%22%3C%3E.html", priority="0.0"),
]
CHILDREN = [
    IndexChild("https://example.org/sitemap-blog.xml", "2026-03-01T12:00:00Z"),
    IndexChild("https://example.org/sitemap-0123456789abcdef.xml"),
    IndexChild("https://example.org/a&b/sitemap.xml", "2026-03-01"),
]
ROBOTS = ["https://example.org/sitemap.xml", "https://example.org/sitemap-index-0123456789abcdef.xml"]


def golden(name: str) -> bytes:
    return (TESTS / "golden" / name).read_bytes()


def schema(name: str) -> Any:
    return etree.XMLSchema(etree.parse(TESTS / "schema" / name))


def sitemap(entries: str, root: str = "urlset") -> Any:
    return etree.fromstring(f'<{root} xmlns="{NAMESPACE}">{entries}</{root}>'.encode())


@pytest.mark.parametrize(
    ("name", "render"),
    [
        ("sitemap.xml", lambda: Renderer().text("sitemap.xml.j2", urls=SitemapRows(PAGES), mark=MARK, stylesheet="")),
        ("sitemap-index.xml", lambda: Renderer().index(CHILDREN, "")),
        ("sitemap.txt", lambda: Renderer().text("sitemap.txt.j2", locs=SitemapRows(PAGES).locs)),
        ("robots.txt", lambda: Renderer().robots(ROBOTS)),
    ],
)
def test_what_is_rendered_is_the_golden_file_byte_for_byte(name: str, render: Callable[[], bytes]) -> None:
    assert render() == golden(name)


@pytest.mark.parametrize("name", ["sitemap", "sitemap-index"])
def test_the_golden_file_keeps_the_protocol_s_schema(name: str) -> None:
    schema(f"{name}.xsd").assertValid(etree.fromstring(golden(f"{name}.xml")))


@pytest.mark.parametrize(
    "entries",
    [
        "",
        "<url><loc>/a.html</loc></url>",
        "<url><loc>https://example.org/ü</loc></url>",
        f"<url><loc>https://example.org/{'a' * 2048}</loc></url>",
        "<url><lastmod>2005</lastmod><loc>https://example.org/</loc></url>",
        "<url><loc>https://example.org/</loc><priority>0.5</priority><changefreq>daily</changefreq></url>",
        "<url><loc>https://example.org/</loc><priority>1.1</priority></url>",
        "<url><loc>https://example.org/</loc><changefreq>Daily</changefreq></url>",
        "<url><loc>https://example.org/</loc><lastmod>2005-02-30</lastmod></url>",
        "<url><loc>https://example.org/</loc><lastmod>2005-05-10T17:33:09</lastmod></url>",
        "<url><loc>https://example.org/</loc><title>x</title></url>",
    ],
)
def test_the_schema_refuses_what_breaks_the_protocol(entries: str) -> None:
    assert not schema("sitemap.xsd").validate(sitemap(entries))


def test_each_character_that_the_protocol_lists_is_escaped() -> None:
    assert escape_all(["&", "'", '"', "<", ">", "&amp;"]) == ["&amp;", "&apos;", "&quot;", "&lt;", "&gt;", "&amp;amp;"]


def failure(template: str, **values: Any) -> str:
    renderer = Renderer({"sitemap.txt.j2": (template, "my/sitemap.txt.j2")})
    with pytest.raises(RenderError) as caught:
        renderer.text("sitemap.txt.j2", **{"locs": ["https://example.org/"], **values})
    return str(caught.value)


@pytest.mark.parametrize(
    ("template", "line", "sentence"),
    [
        ("fine\n{% for loc in locs %}\n", 2, "end of template"),
        ("\n\n{{ locs | nonsense }}", 3, "nonsense"),
        ("\n{% endfor %}", 2, "endfor"),
        ("\n{{ loc }}\n", 2, "'loc' is undefined"),
        ("{% for loc in locs %}\n{{ loc.nothing.more }}{% endfor %}", 2, "nothing"),
        ("\n\n\n{{ 1 / 0 }}", 4, "ZeroDivisionError"),
        ("\n{% for n in range(10 ** 9) %}{{ n }}{% endfor %}", 2, "OverflowError"),
        ("\n{{ ().__class__.__bases__[0].__subclasses__() }}", 2, "unsafe"),
        ("\n{{ ''.format.__globals__ }}", 2, "unsafe"),
        ("\n{{ '{0.__class__.__mro__}'.format(locs) }}", 2, "unsafe"),
        ("\n{{ locs.append('x') }}", 2, "unsafe"),
        ("\n{% include 'missing.j2' %}", 2, "missing.j2"),
        ("\n{% macro again() %}{{ again() }}{% endmacro %}\n{{ again() }}", 2, "RecursionError"),
    ],
)
def test_a_template_that_fails_is_named_with_its_line(template: str, line: int, sentence: str) -> None:
    message = failure(template)
    assert message.startswith(f"my/sitemap.txt.j2:{line}: ")
    assert sentence in message


def test_an_own_template_that_is_given_too_little_is_named_with_its_line() -> None:
    with pytest.raises(RenderError, match=r"^templates/robots\.txt\.j2:2: 'urls' is undefined"):
        Renderer().text("robots.txt.j2")


def test_a_template_may_render_no_half_of_a_character() -> None:
    assert "UnicodeEncodeError" in failure("{{ '\\ud800' }}")


def test_a_user_s_template_goes_before_waypost_s_own() -> None:
    renderer = Renderer({"sitemap.txt.j2": ("{{ locs | length }}\n", "my.j2")})
    assert renderer.text("sitemap.txt.j2", locs=SitemapRows(PAGES).locs) == b"5\n"
    assert renderer.robots(ROBOTS) == golden("robots.txt")


def test_a_user_s_template_may_include_another_of_theirs(tmp_path: Path) -> None:
    (tmp_path / "sitemap.txt.j2").write_text("{% include 'part.j2' %}")
    (tmp_path / "part.j2").write_text("{{ locs[0] }}\n")
    (tmp_path / "notes.txt").write_text("{{ no template }")
    assert (
        Renderer(overriding_templates(tmp_path)).text("sitemap.txt.j2", locs=SitemapRows(PAGES).locs)
        == b"https://example.org/\n"
    )


def test_an_error_in_an_included_template_names_that_template(tmp_path: Path) -> None:
    (tmp_path / "robots.txt.j2").write_text("{% include 'part.j2' %}")
    (tmp_path / "part.j2").write_text("\n\n{{ nothing }}")
    with pytest.raises(RenderError) as caught:
        Renderer(overriding_templates(tmp_path)).robots(ROBOTS)
    assert str(caught.value).startswith(f"{tmp_path / 'part.j2'}:3: ")


def test_a_template_that_is_not_utf8_is_a_render_error(tmp_path: Path) -> None:
    (tmp_path / "robots.txt.j2").write_bytes(b"# caf\xe9\n")
    with pytest.raises(RenderError, match=r"robots\.txt\.j2"):
        Renderer(overriding_templates(tmp_path)).robots(ROBOTS)


@pytest.mark.parametrize(
    "name", ["../pyproject.toml", "/etc/passwd", "../templates/sitemap.xml.j2", "sub/x.j2", "", "."]
)
def test_no_template_reaches_a_file_outside_the_templates(name: str) -> None:
    renderer = Renderer({"sitemap.txt.j2": ("{% include other %}", "mine/sitemap.txt.j2")})
    with pytest.raises(RenderError, match=r"mine/sitemap\.txt\.j2:1"):
        renderer.text("sitemap.txt.j2", other=name)


def test_a_template_that_is_a_link_out_of_its_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "sitemap.txt.j2").symlink_to("../secret")
    with pytest.raises(RenderError, match=r"sitemap\.txt\.j2: .* it is a link that leads out"):
        overriding_templates(folder)


def test_a_template_of_the_user_is_unused_if_it_replaces_none_and_no_other_names_it() -> None:
    texts = {"sitemap.xml.j2": "{% include 'rows.j2' %}", "rows.j2": "", "sitemaps.xml.j2": "sitemaps.xml.j2"}
    renderer = Renderer({name: (text, name) for name, text in texts.items()})
    assert renderer.unused_overrides() == ["sitemaps.xml.j2"]
    assert Renderer().unused_overrides() == []
