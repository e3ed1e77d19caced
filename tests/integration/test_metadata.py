"""What sitemaps say of pages besides their dates, and what stands beside them: from folders and from a bucket."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from builds import BASE, Standing, locs, page, reason_by_key, warnings
from fake_buckets import StatefulBucket
from lxml import etree, html

from waypost.core import reasons
from waypost.core.errors import ConfigurationError, StoreError
from waypost.core.gzip import decompress_if_gzip
from waypost.settings.output_names import MARK

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    {"images": True},
    {"images": True, "image_hosts": ["cdn.example.net", ".example"]},
    {"videos": True},
    {"news": {"name": "The Times", "language": "en"}},
    {"formats": ["xml", "html"]},
    {"formats": ["xml", "text", "html"], "gzip": True, "stylesheet": True},
    {"stylesheet": True},
    {"formats": ["xml", "llms"]},
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


def of_page(root: Any, name: str, path: str) -> list[str]:
    """What a path selects below the entry of a page."""
    return found(root, f'//s:url[s:loc="{BASE}{name}"]/{path}')


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


def test_llms_txt_of_another_writer_is_never_replaced(build: Build, write: Write) -> None:
    site = write({**FOR_AGENTS, "llms.txt": "# By hand\n"})
    with pytest.raises(StoreError, match=r"did not create the present llms\.txt; move that file, or remove llms from"):
        build(site, WAYPOST, formats=["xml", "llms"])
    build(site, WAYPOST)
    assert (site / "llms.txt").read_text() == "# By hand\n"


def test_llms_txt_of_another_writer_in_a_bucket_with_a_state_is_kept() -> None:
    site = StatefulBucket(formats=["xml", "llms"])
    site.put("index.html", FOR_AGENTS["index.html"])
    site.outputs.write("llms.txt", b"# By hand\n")
    result = site.rebuild()
    assert [warning.code for warning in result.warnings] == ["output-blocked"]
    assert site.outputs.bodies()["llms.txt"] == b"# By hand\n"


def test_an_upload_to_a_bucket_with_a_state_brings_llms_txt_up_to_date(build: Build, write: Write) -> None:
    pages = {key: content for key, content in FOR_AGENTS.items() if not key.endswith(".md")}
    site = StatefulBucket(base_url=WAYPOST, formats=["xml", "llms"])
    for key in pages.keys() - {"guide/named.html"}:
        site.put(key, pages[key])
    site.rebuild()
    site.put("guide/named.html", pages["guide/named.html"])
    site.update("guide/named.html")
    folder = write(pages)
    build(folder, WAYPOST, formats=["xml", "llms"])
    assert site.outputs.bodies()["llms.txt"] == (folder / "llms.txt").read_bytes()


@pytest.mark.parametrize("name", ["sitemap-described.xml", "sitemap-news.xml", "sitemap.xml"])
def test_the_golden_file_keeps_the_schemas_of_its_extensions(name: str) -> None:
    schema().assertValid(etree.fromstring(golden(name)))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"<image:loc>https://example.org/img/a.png</image:loc>", b""),
        (b"<image:loc>https://example.org/img/a.png<", b"<image:loc>/img/a.png<"),
        (b"<image:loc>https://example.org/img/a.png</image:loc>", b"<image:title>a</image:title>"),
        (b"<video:duration>93", b"<video:duration>28801"),
        (b"<video:duration>93", b"<video:duration>0"),
        (b"<video:title>Clip</video:title>", b""),
        (b"<video:title>Clip</video:title>", b"<video:title/>"),
        (b"<video:content_loc>https://example.org/clip.webm</video:content_loc>", b""),
        (b"<video:publication_date>2026-03-01T12:00:00Z", b"<video:publication_date>March"),
        (b'hreflang="de-AT"', b'hreflang="de_AT"'),
        (b'rel="alternate"', b'rel="canonical"'),
        (b'href="https://example.fr/"', b'href="/"'),
    ],
)
def test_the_schemas_refuse_what_breaks_an_extension(before: bytes, after: bytes) -> None:
    body = golden("sitemap-described.xml")
    assert before in body
    assert not schema().validate(etree.fromstring(body.replace(before, after)))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"<news:language>en", b"<news:language>en-GB"),
        (b"<news:title>The day</news:title>", b""),
        (b"<news:publication_date>2026-11-19<", b"<news:publication_date>yesterday<"),
        (b"<news:name>The Times &amp; Co</news:name>", b""),
    ],
)
def test_the_schemas_refuse_what_breaks_the_news(before: bytes, after: bytes) -> None:
    body = golden("sitemap-news.xml")
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


# Read back


@pytest.fixture
def built(build: Build, write: Write) -> Path:
    site = write(SITE)
    build(site, **DESCRIBED)
    return site


def test_a_page_lists_the_versions_that_it_names(built: Path) -> None:
    root = etree.parse(built / "sitemap-pages.xml")
    for name in ("en/", "de/"):
        assert of_page(root, name, "xhtml:link/@hreflang") == ["de-AT", "en", "fr", "x-default"]
        assert of_page(root, name, "xhtml:link/@href") == ["de/", "en/", "https://example.fr/", "en/"]
    assert of_page(root, "", "xhtml:link") == []


def test_images_are_listed_of_the_site_and_of_the_hosts_that_are_named(built: Path) -> None:
    root = etree.parse(built / "sitemap-pages.xml")
    assert of_page(root, "gallery.html", "image:image/image:loc/text()") == [
        "img/shared.png",
        "img/a.png",
        "img/b&c.png",
        "img/w_2,h_2/d.avif",
        "https://cdn.example.net/e.png",
    ]
    assert len(found(root, "//image:loc/text()")) == 5


def test_videos_are_listed_with_all_that_was_said_of_them(built: Path) -> None:
    root = etree.parse(built / "sitemap-pages.xml")
    assert of_page(root, "film.html", "video:video/*/text()") == [
        "img/film.jpg?w=1&h=2",
        "Tom & Jerry's <film>",
        'They "run".',
        "film.mp4",
        "https://player.example/1?a=b&c=d",
        "93",
        "2026-03-01T12:00:00Z",
    ]
    assert of_page(root, "clip.html", "video:video/*/text()") == ["img/clip.jpg", "Clip", "What it shows", "clip.webm"]


def test_news_are_those_of_two_days_in_a_sitemap_that_the_index_lists(built: Path) -> None:
    root = etree.parse(built / "sitemap-news.xml")
    assert found(root, "//s:loc/text()") == ["news/day.html", "news/today.html"]
    assert found(root, "//news:title/text()") == ["The day", "Today | The Times"]
    assert found(root, "//news:publication_date/text()") == ["2026-11-19", "2026-11-21T08:00:00Z"]
    index = etree.parse(built / "sitemap.xml")
    assert found(index, "//s:sitemap/s:loc/text()") == ["sitemap-pages.xml", "sitemap-news.xml"]
    pages = etree.parse(built / "sitemap-pages.xml")
    assert {"news/day.html", "news/old.html", "news/soon.html"} <= set(found(pages, "//s:loc/text()"))


def test_people_find_every_page_by_its_title(built: Path) -> None:
    root = html.parse(built / "sitemap-pages.html").getroot()
    titles = {str(link.get("href")): link.text_content() for link in root.iter("a")}
    assert titles[BASE] == "Home & garden"
    assert titles[f"{BASE}guide.pdf"] == "/guide.pdf"
    assert len(titles) == len(SITE) + 1


def test_the_stylesheet_is_named_by_every_xml_file_and_stands_there(built: Path) -> None:
    for path in built.glob("sitemap*.xml"):
        named = re.search('<[?]xml-stylesheet type="text/css" href="(.*?)"[?]>', path.read_text())
        assert named
        assert (built / named[1]).is_file()


def test_a_version_counts_if_both_pages_name_each_other_and_each_other_link_is_warned_of(
    build: Build, write: Write
) -> None:
    def named(*links: tuple[str, str]) -> str:
        return page(head="".join(f'<link rel="alternate" hreflang="{code}" href="/{name}">' for code, name in links))

    en_de = ("en", "a.html"), ("de", "b.html")
    site = write(
        {
            "a.html": named(*en_de, ("fr", "gone.html"), ("es", "c.html"), ("x-default", "home")),
            "b.html": named(*en_de, ("de", "c.html"), ("english", "a.html")),
            "c.html": named(("en", "a.html")),
        }
    )
    plan = build(site, alternates=True)
    assert warnings(plan) == {
        "alternate-unlisted": 1,
        "alternates-contradict": 1,
        "hreflang-code": 1,
        "alternates-without-self": 1,
    }
    root = etree.parse(site / "sitemap.xml")
    assert of_page(root, "a.html", "xhtml:link/@href") == ["b.html", "a.html", "c.html", "home"]
    assert of_page(root, "b.html", "xhtml:link/@href") == ["b.html", "a.html"]
    assert of_page(root, "c.html", "xhtml:link/@href") == ["a.html", "c.html"]


def test_one_x_default_of_a_whole_site_joins_no_pages(build: Build, write: Write) -> None:
    def named(key: str) -> str:
        name = key.rpartition("/")[2]
        links = (("en", f"/en/{name}"), ("de", f"/de/{name}"), ("x-default", "/"))
        return page(key, "".join(f'<link rel="alternate" hreflang="{code}" href="{href}">' for code, href in links))

    keys = [f"{language}/{n}.html" for language in ("en", "de") for n in range(20)]
    files = {key: named(key) for key in keys}
    plan = build(site := write({"index.html": page(), **files}), alternates=True)
    root = etree.parse(site / "sitemap.xml")
    for key in keys:
        name = key.rpartition("/")[2]
        assert of_page(root, key, "xhtml:link/@href") == [f"de/{name}", f"en/{name}", ""]
    assert warnings(plan) == {}


def test_a_page_described_otherwise_is_a_change(build: Build, write: Write) -> None:
    site = write({"a.html": page(body="<img src=a.png>"), "b.html": page()})
    build(site, images=True)
    changes = build(write({"a.html": page(body="<img src=b.png>")}), images=True).changes
    assert changes.metadata_changed == (f"{BASE}a.html",)
    assert (changes.added, changes.removed, changes.lastmod_changed) == ((), (), ())


@pytest.mark.parametrize(
    "settings",
    [{"groups": {"news": ["/news/"]}}, {"groups": {"newsletter": ["/news/"]}, "news": {"name": "N", "language": "en"}}],
)
def test_pages_of_a_group_that_is_called_like_news_are_pages(
    build: Build, write: Write, settings: dict[str, Any]
) -> None:
    site = write({"news/a.html": page(), "b.html": page()})
    build(site, **settings)
    assert build(write({"news/c.html": page()}), **settings).changes.added == (f"{BASE}news/c.html",)


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


def test_a_page_of_more_than_a_thousand_images_lists_the_first(build: Build, write: Write) -> None:
    site = write({"a.html": page(body="".join(f'<img src="{n}.png">' for n in range(1_500)))})
    build(site, images=True)
    names = found(etree.parse(site / "sitemap.xml"), "//image:loc/text()")
    assert names == [f"{n}.png" for n in range(1_000)]


# A bucket


@pytest.mark.parametrize("settings", EACH)
def test_a_bucket_with_a_state_gives_the_bytes_that_the_folder_gives(
    build: Build, write: Write, settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    midnight = NOW - NOW % 86_400
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(midnight + 3_600))
    world = StatefulBucket(urls=50, lastmod="none", state=None, **settings)
    world.clock.seconds = midnight + 3_600
    for key, content in SITE.items():
        world.put(key, content)
    world.rebuild()
    plan = build(write(SITE), lastmod="none", **{**settings, "gzip": False})
    assert unpacked(world.outputs.bodies()) == {document.name: document.body for document in plan.documents}
    world.put("gallery.html", "")
    world.put("de/index.html", page("Deutsch"))
    world.update("gallery.html", "de/index.html")
    for key in ("gallery.html", "de/index.html"):
        world.put(key, SITE[key])
    world.update("gallery.html", "de/index.html")
    assert unpacked(world.outputs.bodies()) == {document.name: document.body for document in plan.documents}


def unpacked(bodies: Mapping[str, bytes]) -> dict[str, bytes]:
    return {name.removesuffix(".gz"): decompress_if_gzip(name, body) for name, body in bodies.items()}


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


def test_a_template_of_the_user_s_shows_the_page_for_people_in_its_own_way(
    build: Build, write: Write, tmp_path: Path
) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "sitemap.html.j2").write_text(
        "{% for url in urls %}{{ url.title or url.loc }};{% endfor %}"
    )
    site = write({"a.html": page("A & b"), "b.pdf": "%PDF"})
    build(site, templates="templates", formats=["xml", "html"])
    assert (site / "sitemap.html").read_text() == f"A &amp; b;{BASE}b.pdf;\n{MARK}\n"
    assert list(build(site).removed) == ["sitemap.html"]


# What settings turned off leave behind


@pytest.mark.parametrize(
    ("before", "after", "removed"),
    [
        ({"formats": ["xml", "html"]}, {}, ["sitemap.html"]),
        ({"stylesheet": True}, {}, ["sitemap.css"]),
        ({"formats": ["xml", "llms"]}, {}, ["llms.txt"]),
        ({"news": DESCRIBED["news"]}, {}, ["sitemap-news.xml", "sitemap-pages.xml"]),
        (
            DESCRIBED,
            {"stylesheet": True},
            ["sitemap-news.xml", "sitemap-pages.html", "sitemap-pages.xml", "sitemap.html"],
        ),
        (
            {"formats": ["xml", "html"], "groups": {"news": ["/news/"]}},
            {"formats": ["xml", "html"]},
            ["sitemap-news.html", "sitemap-news.xml", "sitemap-pages.html", "sitemap-pages.xml"],
        ),
        ({"stylesheet": True, "gzip": True, "news": DESCRIBED["news"]}, {"gzip": True}, None),
    ],
)
def test_outputs_of_a_setting_that_is_turned_off_are_removed(
    build: Build, write: Write, before: dict[str, Any], after: dict[str, Any], removed: list[str] | None
) -> None:
    site = write(SITE)
    build(site, **before)
    plan = build(site, **after)
    assert removed is None or list(plan.removed) == removed
    assert {path.name for path in site.glob("sitemap*")} == {document.name for document in plan.documents}
    assert not build.plan(site, **after).is_stale


def test_a_news_sitemap_stays_without_articles_and_is_valid(
    build: Build, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = write(SITE)
    build(site, news=DESCRIBED["news"])
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(NOW + 10 * 86_400))
    assert list(build(site, news=DESCRIBED["news"]).removed) == []
    assert b"<url>" not in (site / "sitemap-news.xml").read_bytes()
    assert list(build(site).removed) == ["sitemap-news.xml", "sitemap-pages.xml"]


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


def test_with_the_settings_those_names_are_waypost_s(build: Build, write: Write) -> None:
    site = write({"index.html": page()})
    for _ in range(2):
        plan = build(site, formats=["xml", "html"], stylesheet=True)
        assert MARK in (site / "sitemap.html").read_text()
        assert MARK in (site / "sitemap.css").read_text()
    found = reason_by_key(plan)
    assert (found["sitemap.css"], found["sitemap.html"]) == (reasons.OUTPUT, reasons.OUTPUT)


@pytest.mark.parametrize("settings", [*EACH, {**DESCRIBED, "lastmod": "content", "state": "state.jsonl"}])
def test_a_second_run_writes_nothing(build: Build, write: Write, info: Standing, settings: dict[str, Any]) -> None:
    site = write(SITE)
    build(site, **settings)
    before = info(site)
    assert not build(site, **settings).is_stale
    assert info(site) == before


# Mistakes in settings


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"news": {}}, r"news\.name: it is missing(.|\n)*news\.language: it is missing"),
        ({"news": {"language": "en"}}, r"news\.name: it is missing"),
        ({"news": {"name": "", "language": "en"}}, r"news\.name: '' is empty"),
        ({"news": {"name": "N"}}, r"news\.language: it is missing"),
        ({"news": {"name": "N", "language": "english"}}, r"news\.language: 'english' is not a language code"),
        ({"news": {"name": "N", "language": "en-GB"}}, r"news\.language: 'en-GB' is not a language code"),
        ({"news": {"name": "N", "language": 5}}, r"news\.language: 5 is not a string"),
        ({"news": {"name": "N", "language": "en", "pages": "/news/"}}, r"news\.pages: '/news/' is not a list"),
        ({"news": {"name": "N", "language": "en", "days": 2}}, r"news\.days: unknown key"),
        ({"news": "The Times"}, r"news: 'The Times' is not a table"),
        ({"news": {"name": "N", "language": "en"}, "groups": {"news": ["/news/"]}}, r"groups: a group `news`"),
        ({"news": {"name": "N", "language": "en"}, "formats": ["text"]}, r"news: news sitemaps need the format xml"),
        ({"formats": ["html"]}, r"formats: search engines read none"),
        ({"formats": ["pdf"]}, r"formats\[0\]: 'pdf' is not an allowed value"),
        ({"stylesheet": True, "formats": ["text"]}, r"stylesheet: a stylesheet needs the format xml"),
        ({"stylesheet": "sitemap.css"}, r"stylesheet: 'sitemap\.css' is not an allowed value"),
        ({"alternates": "yes"}, r"alternates: 'yes' is not an allowed value"),
        ({"images": 1}, r"images: 1 is not an allowed value"),
        (
            {"image_hosts": "cdn.example.net", "images": True},
            r"image_hosts: 'cdn\.example\.net' is not a list",
        ),
        ({"videos": None}, r"videos: None is not an allowed value"),
    ],
)
def test_a_mistake_in_a_setting_is_told_with_its_place(
    build: Build, write: Write, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        build.plan(write({"a.html": page()}), **settings)


@pytest.mark.parametrize("language", ["EN", "deu", "zh-cn", "zh-TW"])
def test_languages_of_news_are_those_that_their_readers_know(build: Build, write: Write, language: str) -> None:
    site = write(SITE)
    build(site, news={"name": "N", "language": language})
    assert set(found(etree.parse(site / "sitemap-news.xml"), "//news:language/text()")) == {language.lower()}


def test_a_page_or_stylesheet_of_the_site_s_own_is_never_replaced(build: Build, write: Write) -> None:
    for name, values in (("sitemap.html", {"formats": ["xml", "html"]}), ("sitemap.css", {"stylesheet": True})):
        site = write({"index.html": page(), name: b"mine"})
        with pytest.raises(StoreError, match=f"Waypost did not create the present {name}"):
            build(site, **values)
        assert (site / name).read_text() == "mine"
        (site / name).unlink()
        build(site, **values)
        build(site, **values)


def test_no_page_s_versions_alone_can_fill_a_file(build: Build, write: Write) -> None:
    base = f"{BASE}{'b' * 1_500}/"
    links = "".join(
        f'<link rel="alternate" hreflang="a{chr(97 + n % 26)}{chr(97 + n // 26)}" href="{n}">' for n in range(600)
    )
    build(write({"index.html": page(head=f'<base href="{base}">{links}')}), alternates=True)
