"""Builds with templates of the user's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from builds import BASE, Standing, page

from waypost.core.errors import RenderError, WaypostError

if TYPE_CHECKING:
    from sites import Build, Entries, Write


@pytest.fixture
def templates(tmp_path: Path) -> Callable[[dict[str, str]], str]:
    """Write a folder of templates."""

    def make(files: dict[str, str]) -> str:
        (tmp_path / "templates").mkdir(exist_ok=True)
        for name, text in files.items():
            (tmp_path / "templates" / name).write_text(text)
        return "templates"

    return make


Templates = Callable[[dict[str, str]], str]
GOOD = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n<!-- mine -->\n'
    "{% for url in urls %}{% include 'url.j2' %}{% endfor %}</urlset>"
)


def test_a_template_of_the_user_s_goes_before_waypost_s(
    build: Build, write: Write, entries: Entries, templates: Templates
) -> None:
    site = write({"a&b.html": page()})
    folder = templates({"sitemap.xml.j2": GOOD, "url.j2": "<url><loc>{{ url.loc }}</loc></url>"})
    build(site, templates=folder)
    assert "<!-- mine -->" in (site / "sitemap.xml").read_text()
    assert list(entries(site / "sitemap.xml")) == [f"{BASE}a&b.html"]
    assert not build(site, templates=folder).is_stale


def test_an_output_of_a_template_that_drops_the_mark_is_known_again(
    build: Build, write: Write, templates: Templates
) -> None:
    site = write({"blog/a.html": page()})
    folder = templates({"sitemap.xml.j2": GOOD, "url.j2": "<url><loc>{{ url.loc }}</loc></url>"})
    build(site, templates=folder, groups={"blog": ["/blog/"]})
    assert list(build(site).removed) == ["sitemap-blog.xml"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("one\n{% for %}", r"sitemap\.xml\.j2:2: "),
        ("one\ntwo\n{{ nothing }}", r"sitemap\.xml\.j2:3: .*nothing"),
        ("{{ ''.__class__.__mro__ }}", r"sitemap\.xml\.j2:1: "),
        ("<urlset>", "the namespace of urlset is"),
        (GOOD.replace("{% include 'url.j2' %}", ""), "is missing"),
        (GOOD.replace("{% include 'url.j2' %}", "<url><loc>{{ url.loc }}</loc></url>" * 2), "repeated"),
    ],
)
def test_a_template_s_mistake_is_reported_and_what_is_published_stays(
    build: Build, write: Write, info: Standing, templates: Templates, text: str, message: str
) -> None:
    site = write({"a.html": page()})
    build(site)
    write({"b.html": page()})
    before = info(site)
    with pytest.raises(RenderError, match=message) as raised:
        build(site, templates=templates({"sitemap.xml.j2": text}))
    assert raised.value.exit_code == 4
    assert info(site) == before


def test_robots_txt_comes_to_rest_whatever_its_template_adds(build: Build, write: Write, templates: Templates) -> None:
    site = write({"a.html": page()})
    folder = templates({"robots.txt.j2": "# ours\n{% for url in urls %}\nSitemap: {{ url }}\n{% endfor %}\n"})
    build(site, templates=folder, robots_sitemaps=True)
    assert not build(site, templates=folder, robots_sitemaps=True).is_stale


def test_an_output_that_is_a_folder_is_an_error_for_the_reader(build: Build, write: Write) -> None:
    site = write({"a.html": page(), "sitemap.xml/b.html": page()})
    with pytest.raises(WaypostError, match=r"sitemap\.xml") as raised:
        build(site)
    assert raised.value.exit_code == 5
