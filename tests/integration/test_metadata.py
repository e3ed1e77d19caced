"""What sitemaps say of pages besides their dates, and what stands beside them."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from builds import BASE, Standing, locs, page
from lxml import etree

from waypost.core.errors import ConfigurationError, StoreError

if TYPE_CHECKING:
    from sites import Build, Command, Write

TESTS = Path(__file__).parents[1]
NOW = int(datetime(2026, 11, 21, 12, tzinfo=UTC).timestamp())
NAMESPACES = {
    "s": "http://www.sitemaps.org/schemas/sitemap/0.9",
    "image": "http://www.google.com/schemas/sitemap-image/1.1",
    "news": "http://www.google.com/schemas/sitemap-news/0.9",
    "video": "http://www.google.com/schemas/sitemap-video/1.1",
    "xhtml": "http://www.w3.org/1999/xhtml",
}
ALTERNATES = "".join(
    f'<link rel="alternate" hreflang="{code}" href="{href}">'
    for code, href in (("en", "/en/"), ("de-AT", "/de/?a=1"), ("fr", "https://example.fr/"), ("X-DEFAULT", "/en/"))
)
VIDEO = {
    "@context": "https://schema.org",
    "@type": "VideoObject",
    "name": "Tom & Jerry's <film>",
    "description": 'They "run".',
    "thumbnailUrl": ["/img/film.jpg?w=1&h=2"],
    "contentUrl": "film.mp4",
    "embedUrl": "https://player.example/1?a=b&c=d",
    "duration": "PT1M33S",
    "uploadDate": "2026-03-01T13:00:00+01:00",
}
SITE = {
    "index.html": page("Home & garden"),
    "en/index.html": page("English", '<link rel="alternate" hreflang="de-AT" href="../de/">' + ALTERNATES),
    "de/index.html": page("Deutsch", '<link rel="alternate" hreflang="de-AT" href="./">' + ALTERNATES),
    "gallery.html": page(
        "Gallery",
        '<base href="/img/"><meta property="og:image" content="https://example.org/img/shared.png">',
        '<img src="a.png"><img src="data:image/gif;base64,AA" data-src="b&amp;c.png">'
        '<picture><source srcset="w_1,h_1/d.avif 1x, w_2,h_2/d.avif 2x"><img src="d.png"></picture>'
        '<img src="https://cdn.example.net/e.png"><img src="https://elsewhere.example/f.png"><img src="#">',
    ),
    "film.html": page("Film", f'<script type="application/ld+json">{json.dumps(VIDEO)}</script>'),
    "clip.html": page(
        "Clip",
        '<meta name="description" content="What it shows">',
        '<video poster="/img/clip.jpg"><source src="/clip.webm"></video><video src="/lone.mp4"></video>',
    ),
    "news/today.html": page(
        "Today | The Times", '<meta property="article:published_time" content="2026-11-21T10:00:00+02:00">'
    ),
    "news/day.html": page("The day", '<meta name="date" content="2026-11-19">'),
    "news/old.html": page("Old", '<meta name="date" content="2026-11-18">'),
    "news/soon.html": page("Soon", '<meta name="date" content="2026-11-22">'),
    "guide.pdf": "%PDF",
}
DESCRIBED: dict[str, Any] = {
    "alternates": True,
    "images": True,
    "image_hosts": ["cdn.example.net"],
    "videos": True,
    "news": {"name": "The Times & Co", "language": "en", "pages": ["/news/"]},
    "formats": ["xml", "html"],
    "stylesheet": True,
}
EACH: list[dict[str, Any]] = [
    {"alternates": True},
    {"images": True, "image_hosts": ["cdn.example.net", ".example"]},
    {"formats": ["xml", "text", "html"], "gzip": True, "stylesheet": True},
    {"formats": ["xml", "llms"], "groups": {"film": ["film.html", "clip.html"]}},
    {"groups": {"film": ["film.html", "clip.html"]}, **DESCRIBED},
]


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of this happens at one time."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(NOW))


def golden(name: str) -> bytes:
    return (TESTS / "golden" / name).read_bytes()


def schema() -> Any:
    return etree.XMLSchema(etree.parse(TESTS / "schema" / "sitemap-described.xsd"))


def found(root: Any, path: str) -> list[str]:
    """What a path selects, the URLs without the site's own beginning."""
    return [str(each).removeprefix(BASE) for each in root.xpath(path, namespaces=NAMESPACES)]


# Whole builds


@pytest.mark.parametrize(
    ("output", "name"),
    [
        ("sitemap-pages.xml", "sitemap-described.xml"),
        ("sitemap-news.xml", "sitemap-news.xml"),
        ("sitemap-pages.html", "sitemap.html"),
        ("sitemap.html", "sitemap-index.html"),
    ],
)
def test_what_is_written_of_a_site_is_the_golden_file_byte_for_byte(
    build: Build, write: Write, output: str, name: str
) -> None:
    site = write(SITE)
    build(site, **DESCRIBED)
    assert (site / output).read_bytes() == golden(name)


FOR_AGENTS = {
    "index.html": page("Waypost", '<meta name="description" content="Sitemaps &amp; their dates">'),
    "about.html": page("About [us] | Waypost", '<meta property="og:description" content="Who `makes` it">'),
    "guide/index.html": page("The guide | Waypost"),
    "guide/start.html": page("First steps | Waypost", '<meta name="description" content="How to begin">'),
    "guide/start.md": "# First steps",
    "guide/named.html": page("Named | Waypost", '<link rel="alternate" type="text/markdown" href="/md/named.md">'),
    "guide/hidden.html": page("Hidden | Waypost", '<meta name="robots" content="noindex">'),
    "reference/a(1).html": page("", '<meta name="description" content="a](https://other.example/) [b &lt;i>">'),
    "guide.pdf": "%PDF",
}
WAYPOST = "https://www.waypost.dev/"


def test_llms_txt_is_the_golden_file_byte_for_byte(build: Build, write: Write) -> None:
    site = write(FOR_AGENTS)
    build(site, WAYPOST, formats=["xml", "llms"])
    assert (site / "llms.txt").read_bytes() == golden("llms.txt")


@pytest.mark.parametrize("name", ["sitemap-described.xml", "sitemap-news.xml", "sitemap.xml"])
def test_the_golden_file_keeps_the_schemas_of_its_extensions(name: str) -> None:
    schema().assertValid(etree.fromstring(golden(name)))


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("described", b"<image:loc>https://example.org/img/a.png</image:loc>", b""),
        ("described", b"<image:loc>https://example.org/img/a.png<", b"<image:loc>/img/a.png<"),
        ("described", b"<video:duration>93", b"<video:duration>28801"),
        ("described", b"<video:content_loc>https://example.org/clip.webm</video:content_loc>", b""),
        ("described", b'hreflang="de-AT"', b'hreflang="de_AT"'),
        ("described", b'rel="alternate"', b'rel="canonical"'),
        ("news", b"<news:title>The day</news:title>", b""),
        ("news", b"<news:publication_date>2026-11-19<", b"<news:publication_date>yesterday<"),
    ],
)
def test_the_schemas_refuse_what_breaks_an_extension(name: str, before: bytes, after: bytes) -> None:
    body = golden(f"sitemap-{name}.xml")
    assert before in body
    assert not schema().validate(etree.fromstring(body.replace(before, after)))


@pytest.mark.parametrize("settings", EACH)
def test_whatever_is_asked_for_every_sitemap_keeps_its_schema_and_validates(
    build: Build, write: Write, waypost: Command, settings: dict[str, Any], tmp_path: Path
) -> None:
    site, out = write(SITE), tmp_path / "out"
    plan = build(site, output=out, **settings)
    kinds = {document.kind for document in plan.documents}
    assert kinds >= {"sitemap"} | {"html"} & set(settings.get("formats", ()))
    for document in plan.documents:
        if document.kind in ("sitemap", "news"):
            schema().assertValid(etree.fromstring(document.body))
    done = waypost("validate", "out", "--url", BASE, "--json")
    answered = json.loads(done.stdout)
    assert (done.returncode, answered["findings"]) == (0, [])
    assert not build.plan(site, output=out, **settings).is_stale


# Limits


@pytest.mark.slow
def test_a_sitemap_that_images_make_too_large_is_split_by_the_rule(
    build: Build, write: Write, waypost: Command, tmp_path: Path
) -> None:
    site, out, limit = write({}), tmp_path / "out", 10_485_760
    for n in range(24):
        body = "".join(f'<img src="/{n:02}/{m:04}/{"x" * 440}.png">' for m in range(1_000))
        (site / f"{n:02}.html").write_text(page(body=body))
    plan = build(site, output=out, images=True, limits="strict")
    sitemaps = [document for document in plan.documents if document.kind == "sitemap"]
    assert len(sitemaps) > 1
    assert all(re.fullmatch(r"sitemap-[0-9a-f]{16}\.xml", document.name) for document in sitemaps)
    assert all(len(document.body) <= limit for document in sitemaps)
    assert sum(len(document.body) for document in sitemaps) > limit
    assert sum(document.url_count for document in sitemaps) == 24
    (site / "07.html").write_text(page())
    assert build(site, output=out, images=True, limits="strict").written != []
    assert waypost("validate", "out", "--url", BASE).returncode == 0


def test_no_page_alone_can_fill_a_file(build: Build, write: Write) -> None:
    many = page(body="".join(f'<img src="/{n:04}{"%27" * 600}.png">' for n in range(1_000)))
    plan = build(write({"a.html": many, "b.html": page()}), images=True, videos=True)
    (sitemap,) = plan.documents
    assert sitemap.url_count == 2
    assert len(sitemap.body) < 5_000_000


# Templates of the user's


def test_a_template_that_knows_nothing_of_metadata_renders_as_it_did(
    build: Build, write: Write, tmp_path: Path
) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "sitemap.xml.j2").write_text(
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{{ mark }}'
        "{% for url in urls %}<url><loc>{{ url.loc }}</loc>"
        "{% if url.lastmod %}<lastmod>{{ url.lastmod }}</lastmod>{% endif %}"
        "{% if url.changefreq %}<changefreq>{{ url.changefreq }}</changefreq>{% endif %}</url>{% endfor %}</urlset>"
    )
    site = write(SITE)
    plan = build(site, templates="templates", **DESCRIBED)
    root = etree.parse(site / "sitemap-pages.xml")
    assert found(root, "//s:loc/text()") == [loc.removeprefix(BASE) for loc in locs(plan)]
    assert not build.plan(site, templates="templates", **DESCRIBED).is_stale


# What settings turned off leave behind


@pytest.mark.parametrize(
    ("before", "after", "removed"),
    [
        ({"stylesheet": True, "formats": ["xml", "llms"]}, {}, ["llms.txt", "sitemap.css"]),
        (
            DESCRIBED,
            {"stylesheet": True},
            ["sitemap-news.xml", "sitemap-pages.html", "sitemap-pages.xml", "sitemap.html"],
        ),
    ],
)
def test_outputs_of_a_setting_that_is_turned_off_are_removed(
    build: Build, write: Write, before: dict[str, Any], after: dict[str, Any], removed: list[str]
) -> None:
    site = write(SITE)
    build(site, **before)
    plan = build(site, **after)
    assert sorted(plan.removed) == removed
    assert {path.name for path in site.glob("sitemap*")} == {document.name for document in plan.documents}
    assert not build.plan(site, **after).is_stale


def test_pages_and_styles_of_the_site_s_own_are_left_alone_and_listed(
    build: Build, write: Write, info: Standing
) -> None:
    own = {"sitemap.html": page("Our map"), "sitemap.css": "a { }", "sitemap-pages.html": page("More")}
    site = write({"index.html": page(), **own})
    before = {name: info(site)[name] for name in own}
    plan = build(site)
    assert locs(plan) == [BASE, f"{BASE}sitemap-pages.html", f"{BASE}sitemap.html"]
    assert list(plan.removed) == []
    assert {name: info(site)[name] for name in own} == before


# Mistakes in settings


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"news": {}}, r"news\.name: it is missing(.|\n)*news\.language: it is missing"),
        ({"news": {"name": "N", "language": "english"}}, r"news\.language: 'english' is not a language code"),
        ({"news": {"name": "N", "language": 5}}, r"news\.language: 5 is not a string"),
        ({"news": {"name": "N", "language": "en", "pages": "/news/"}}, r"news\.pages: '/news/' is not a list"),
        ({"news": {"name": "N", "language": "en", "days": 2}}, r"news\.days: unknown key"),
        ({"news": "The Times"}, r"news: 'The Times' is not a table"),
        ({"news": {"name": "N", "language": "en"}, "groups": {"news": ["/news/"]}}, r"groups: a group `news`"),
        ({"news": {"name": "N", "language": "en"}, "formats": ["text"]}, r"news: news sitemaps need the format xml"),
        ({"formats": ["html"]}, r"formats: search engines read none"),
        ({"stylesheet": True, "formats": ["text"]}, r"stylesheet: a stylesheet needs the format xml"),
    ],
)
def test_a_mistake_in_a_setting_is_told_with_its_place(
    build: Build, write: Write, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        build.plan(write({"a.html": page()}), **settings)


def test_a_file_of_the_site_s_own_is_never_replaced(build: Build, write: Write) -> None:
    for name, values in (
        ("sitemap.html", {"formats": ["xml", "html"]}),
        ("sitemap.css", {"stylesheet": True}),
        ("llms.txt", {"formats": ["xml", "llms"]}),
    ):
        site = write({"index.html": page(), name: b"mine"})
        with pytest.raises(StoreError, match=f"Waypost did not create the present {name}"):
            build(site, **values)
        assert (site / name).read_text() == "mine"
        (site / name).unlink()
        build(site, **values)
        build(site, **values)
