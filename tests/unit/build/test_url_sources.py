"""The URLs that the settings `urls` and `sitemaps` name."""

from __future__ import annotations

import gzip
import io
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from servers import answer, serving
from unit.build.test_lister import NO_DATES, MemorySource
from unit.cli.invoke import index, urlset
from unit.sample_sites import site

from waypost.build.lister import Lister, Listing
from waypost.build.named_places import NamedPlaces
from waypost.build.url_sources import extension_xml, named_urls
from waypost.core.errors import ConfigurationError, SourceError
from waypost.core.model import IndexChild, NamedUrls, Page, PageDating, UrlEntry
from waypost.core.private_hosts import named_hosts
from waypost.core.sitemap_rows import EXTENSION_NAMESPACES
from waypost.settings.load import ConfigSource
from waypost.validate import SITEMAP_NAMESPACE, Element
from waypost.validate.sitemap_content import read_whole_entries

NOW = "2026-03-01T12:00:00Z"
BASE = "https://example.org/"
NAMESPACES = (
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
    'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
)
HTML = "<title>a</title><body><p>text"


def named(folder: Path, files: dict[str, bytes] | None = None, *, by_flags: bool = False, **settings: Any) -> NamedUrls:
    source = ConfigSource("test", settings, is_trusted=by_flags)
    made = replace(site(**settings), private_hosts=named_hosts([settings] if by_flags else ()))
    return named_urls(made, NamedPlaces([source], folder), (files or {}).get, NOW)


def locs(found: NamedUrls) -> list[str]:
    return [each.loc for each in found.entries]


def test_urls_are_in_the_settings_or_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text("/a\n/b\n")
    assert locs(named(tmp_path, urls=["/a"])) == [f"{BASE}a"]
    assert locs(named(tmp_path, urls="urls.txt")) == [f"{BASE}a", f"{BASE}b"]


def test_urls_come_from_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"loc\n/a\n")))
    assert locs(named(tmp_path, urls="-", by_flags=True)) == [f"{BASE}a"]


def test_a_settings_file_reads_no_standard_input(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="urls: - cannot be read: No such file"):
        named(tmp_path, urls="-")


def test_all_mistakes_of_a_list_come_at_once_in_the_order_of_lines(tmp_path: Path) -> None:
    (tmp_path / "urls.csv").write_text("loc,priority\nhttps://example.com/,\n/a,7\n/b#c,\n")
    with pytest.raises(ConfigurationError) as caught:
        named(tmp_path, urls="urls.csv")
    assert [issue.line for issue in caught.value.issues] == [2, 3, 4]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "urls.txt cannot be read: No such file or directory"),
        ("# nothing\n", "urls.txt lists no URL; an empty list would remove all of them"),
    ],
)
def test_a_list_that_is_missing_or_empty_is_a_mistake(tmp_path: Path, content: str | None, problem: str) -> None:
    if content is not None:
        (tmp_path / "urls.txt").write_text(content)
    with pytest.raises(ConfigurationError, match=problem):
        named(tmp_path, urls="urls.txt")


def test_another_tool_s_sitemap_says_what_is_valid_of_each_url(tmp_path: Path) -> None:
    (tmp_path / "other.xml").write_text(
        f"<urlset {NAMESPACES}>"
        f"<url><loc>{BASE}a b</loc><lastmod>2026-02-01T12:00:00+02:00</lastmod><changefreq>daily</changefreq>"
        "<priority>0.5</priority><image:image><image:loc>/a.png</image:loc></image:image>"
        f'<xhtml:link rel="alternate" hreflang="de" href="{BASE}de/a"/></url>'
        f"<url><loc>{BASE}b</loc><lastmod>2031-01-01</lastmod><changefreq>often</changefreq><priority>9</priority></url>"
        "</urlset>"
    )
    found = named(tmp_path, sitemaps=["other.xml"])
    (first, second) = found.entries
    assert first == UrlEntry(
        f"{BASE}a%20b",
        "2026-02-01T10:00:00Z",
        "daily",
        "0.5",
        alternates=(("de", f"{BASE}de/a"),),
        where="other.xml",
        line=1,
        extensions="<image:image><image:loc>/a.png</image:loc></image:image>"
        f'<xhtml:link rel="alternate" hreflang="de" href="{BASE}de/a"/>',
    )
    assert [(each.code, each.examples[0].detail) for each in found.warnings] == [
        ("not-kept", "1 changefreq, 1 lastmod, 1 priority")
    ]
    assert second == UrlEntry(f"{BASE}b", where="other.xml", line=1)


def test_indexes_text_and_compressed_sitemaps_are_read(tmp_path: Path) -> None:
    (tmp_path / "index.xml").write_text(index(f"{BASE}a.xml.gz", f"{BASE}b.txt"))
    (tmp_path / "a.xml.gz").write_bytes(gzip.compress(urlset("a").encode()))
    (tmp_path / "b.txt").write_text(f"{BASE}b\n")
    assert locs(named(tmp_path, sitemaps=["index.xml"])) == [f"{BASE}a", f"{BASE}b"]


def test_a_sitemap_is_fetched_from_the_site_s_own_host_whatever_its_url_ends_with(tmp_path: Path) -> None:
    with serving({}) as server:
        base = f"{server.url}/"
        server.answers["/map.php?page=1"] = answer(urlset("a").replace(BASE, base).encode())
        found = named(tmp_path, sitemaps=[f"{base}map.php?page=1"], base_url=base, by_flags=True)
    assert locs(found) == [f"{base}a"]


@pytest.mark.parametrize("as_child", [False, True])
def test_no_settings_file_vouches_for_a_host_of_a_private_network(tmp_path: Path, *, as_child: bool) -> None:
    with serving({"/a.xml": answer(urlset("a").encode())}) as server:
        named_sitemap = {"from": f"{server.url}/a.xml", **({"as": "child"} if as_child else {})}
        with pytest.raises(SourceError, match="not public; to allow it, name the host in a flag or an input"):
            named(tmp_path, sitemaps=[named_sitemap], base_url=f"{server.url}/")
        assert server.asked == []


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("none.xml", None, "none.xml, which `sitemaps` names, does not exist"),
        ("a.xml", urlset(), "a.xml, which `sitemaps` names, lists no URL"),
        ("a.xml", "<html><body>Not found</body></html>", "a.xml, which `sitemaps` names, is no sitemap"),
        ("a.xml", "<urlset", "a.xml, which `sitemaps` names, is no sitemap"),
        ("a.xml", index(f"{BASE}b.xml", "https://example.com/c.xml"), "a.xml lists 2 sitemaps that cannot be read, or"),
    ],
)
def test_a_sitemap_that_does_not_list_what_it_should_ends_the_run_unless_it_is_optional(
    tmp_path: Path, name: str, content: str | None, problem: str
) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(SourceError, match=problem):
        named(tmp_path, sitemaps=[name])
    found = named(tmp_path, sitemaps=[{"from": name, "optional": True}], urls=["/z"])
    assert locs(found) == [f"{BASE}z"]
    (warning,) = found.warnings
    assert warning.code == "sitemap-missing"
    assert problem in warning.examples[0].detail


def test_a_folder_s_sitemaps_are_all_read_or_none(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_text(urlset("a"))
    (tmp_path / "sitemap-index.xml").write_text(index(f"{BASE}gone.xml"))
    with pytest.raises(SourceError, match="lists 1 sitemap that cannot be read"):
        named(tmp_path, sitemaps=["."])


def test_a_child_is_one_of_the_site_s_files_and_none_of_its_urls_are_listed_here(tmp_path: Path) -> None:
    body = urlset("blog/a", "b").encode()
    found = named(tmp_path, {"blog/sitemap.xml": body}, sitemaps=[{"from": "blog/sitemap.xml", "as": "child"}])
    assert (found.entries, found.children) == ([], [IndexChild(f"{BASE}blog/sitemap.xml")])
    assert [(each.code, each.count) for each in found.warnings] == [("child-scope", 1)]


def test_a_child_that_the_site_does_not_have_is_fetched(tmp_path: Path) -> None:
    with serving({}) as server:
        server.answers["/shop/blog/sitemap.xml"] = answer(
            urlset("shop/blog/a").replace(BASE, f"{server.url}/").encode()
        )
        children = [{"from": each, "as": "child"} for each in ("blog/sitemap.xml", "/shop/blog/sitemap.xml")]
        found = named(tmp_path, sitemaps=children, base_url=f"{server.url}/shop/", by_flags=True)
        assert found == NamedUrls([], [IndexChild(f"{server.url}/shop/blog/sitemap.xml")], [])


@pytest.mark.parametrize("location", ["https://example.com/a.xml", "http://[x", "//[", "../a.xml", "/a.xml"])
def test_a_child_must_be_below_the_site(tmp_path: Path, location: str) -> None:
    child = {"from": location, "as": "child", "optional": True}
    with pytest.raises(ConfigurationError, match="is not below"):
        named(tmp_path, sitemaps=[child], base_url="https://example.org/docs/")


def test_a_child_may_be_no_index(tmp_path: Path) -> None:
    files = {"a.xml": index(f"{BASE}b.xml").encode()}
    with pytest.raises(SourceError, match="is an index, which no index may list"):
        named(tmp_path, files, sitemaps=[{"from": "a.xml", "as": "child"}])


def listing(*entries: UrlEntry, files: dict[str, str | bytes | OSError] | None = None, **settings: Any) -> Listing:
    source = MemorySource(files or {"index.html": HTML})
    the_site = site(lastmod="none", **settings)
    return Lister(source, the_site, NO_DATES, lambda stage, done, total: None, entries=entries).listing()


def left_out(found: Listing) -> dict[str, tuple[str, str]]:
    return {each.key: (each.reason, each.detail) for each in found.skipped}


def test_urls_are_listed_among_the_pages_in_the_order_of_their_keys() -> None:
    entries = (UrlEntry(f"{BASE}z"), UrlEntry(f"{BASE}a?b=1", "2026-02-01", "daily", "0.5"))
    found = listing(*entries)
    assert found.pages == [
        Page("a?b=1", f"{BASE}a?b=1", "", "2026-02-01", "daily", "0.5"),
        Page("index.html", BASE),
        Page("z", f"{BASE}z"),
    ]
    assert found.entry_keys == {"a?b=1", "z"}
    assert found.datings["z"] == PageDating("url-list", ("urls[0]",))


def test_the_site_s_file_decides_about_a_url_in_any_form_of_it() -> None:
    files: dict[str, str | bytes | OSError] = {
        "index.html": HTML,
        "docs/index.html": HTML + "b",
        "old.html": '<title>a</title><meta name="robots" content="noindex">',
    }
    locs = (BASE, f"{BASE}docs", f"{BASE}docs/index.html", f"{BASE}old", f"{BASE}docs/?page=2")
    found = listing(*map(UrlEntry, locs), files=files)
    assert [page.loc for page in found.pages] == [f"{BASE}docs/?page=2", f"{BASE}docs/", BASE]
    assert {loc: left_out(found)[loc] for loc in locs[:4]} == {
        locs[0]: ("own-file", "index.html"),
        locs[1]: ("own-file", "docs/index.html"),
        locs[2]: ("own-file", "docs/index.html"),
        locs[3]: ("own-file", "old.html"),
    }


def test_settings_and_robots_txt_leave_out_urls_too() -> None:
    files: dict[str, str | bytes | OSError] = {
        "index.html": HTML,
        "robots.txt": "User-agent: *\nDisallow: /cart",
    }
    locs = (f"{BASE}cart?a=1", f"{BASE}drafts/a", "https://example.com/a", f"{BASE}{'a' * 2_048}")
    found = listing(*map(UrlEntry, locs), files=files, exclude=["/drafts/"])
    assert [page.loc for page in found.pages] == [BASE]
    reasons = {loc: reason for loc, (reason, _) in left_out(found).items()}
    assert [reasons[loc] for loc in locs] == ["robots-txt", "excluded", "foreign-url", "loc-too-long"]


def test_a_url_that_two_sitemaps_list_is_listed_once_as_the_first_has_it() -> None:
    first = UrlEntry(f"{BASE}a", "2026-02-01", where="one.xml", line=3)
    second = UrlEntry(f"{BASE}a", "2026-02-02", where="two.xml", line=4)
    found = listing(first, second)
    assert [page.lastmod for page in found.pages] == ["2026-02-01", None]
    assert left_out(found)[f"{BASE}a"] == ("listed-twice", "line 4 of two.xml, after line 3 of one.xml")


def test_what_the_list_does_not_say_of_a_url_the_settings_may() -> None:
    overrides = [{"match": ["/shop/"], "changefreq": "weekly", "priority": 0.9}]
    entries = UrlEntry(f"{BASE}shop/a", priority="0.1"), UrlEntry(f"{BASE}shop/b", group="other", images=(f"{BASE}b",))
    found = listing(*entries, overrides=overrides, groups={"shop": ["/shop/"], "other": ["/x/"]}, images=True)
    assert found.pages[1:] == [
        Page("shop/a", f"{BASE}shop/a", "shop", None, "weekly", "0.1"),
        Page("shop/b", f"{BASE}shop/b", "other", None, "weekly", "0.9", images=(f"{BASE}b",)),
    ]


def test_alternates_count_if_both_name_one_another_a_file_or_not() -> None:
    link = '<link rel="alternate" hreflang="de" href="/de/a"><link rel="alternate" hreflang="en" href="/a.html">'
    both = (("de", "/de/a"), ("en", "/a.html"))
    files: dict[str, str | bytes | OSError] = {"a.html": link + HTML}
    found = listing(UrlEntry(f"{BASE}de/a", alternates=both), files=files, alternates=True)
    assert [page.alternates for page in found.pages] == [(("de", f"{BASE}de/a"), ("en", f"{BASE}a.html"))] * 2
    found = listing(UrlEntry(f"{BASE}de/a", alternates=both), files={"a.html": HTML}, alternates=True)
    assert [page.alternates for page in found.pages] == [(), ()]
    assert {each.code: each.count for each in found.warnings} == {"alternate-unreturned": 1}


LISTED = "https://example.org/a"
DECLARED = "".join(f' xmlns:{prefix}="{namespace}"' for prefix, namespace in EXTENSION_NAMESPACES)


def extended(inside: str, declared: str = DECLARED) -> bytes:
    return f'<urlset xmlns="{SITEMAP_NAMESPACE}"{declared}><url><loc>{LISTED}</loc>{inside}</url></urlset>'.encode()


def written(inside: str, declared: str = "") -> str:
    kind, (entry,), lost = read_whole_entries("a.xml", extended(inside, DECLARED + declared))
    assert (kind, lost) == ("urlset", {})
    return extension_xml(entry.extensions or ())


def test_the_usual_extensions_are_as_they_were_in_their_order() -> None:
    inside = (
        '<image:image><image:loc>https://a.dev/?a&amp;b</image:loc></image:image><xhtml:link rel="alternate" '
        'hreflang="de" href="https://a.dev/&quot;"/><video:video><video:tag>x</video:tag></video:video>'
        "<news:news><news:title>T &lt; U</news:title></news:news><mobile:mobile/>"
    )
    assert written(inside) == inside


def test_an_unknown_namespace_is_declared_where_it_is_used() -> None:
    found = written('<x:a y:b="1" c="&#10;"><d xmlns="">e</d><f/></x:a><x:a/>', ' xmlns:x="urn:x" xmlns:y="urn:y&amp;"')
    assert found == (
        '<ns1:a xmlns:ns1="urn:x" xmlns:ns2="urn:y&amp;" ns2:b="1" c="&#10;"><d xmlns="">e</d><f '
        f'xmlns="{SITEMAP_NAMESPACE}"/></ns1:a><ns1:a xmlns:ns1="urn:x"/>'
    )


def test_what_cannot_be_kept_is_counted_by_its_kind() -> None:
    image = f"<image:image>a<image:loc>{'b' * 70_000}</image:loc></image:image>"
    inside = f"<foo>1</foo><foo/><priority><b/>0.5</priority>{image}"
    _, _, lost = read_whole_entries("a.xml", extended(inside))
    assert lost == {"element foo": 2, "element b": 1, "text beside elements": 1, "end of a long text": 1}


NAMES = st.text("abc", min_size=1, max_size=3)
ANY_NAMESPACE = st.sampled_from(["urn:x", "urn:x?a&b'", *(namespace for _, namespace in EXTENSION_NAMESPACES)])
TEXTS = st.text("ab&<>'\"]é\u2028\U0001f600 \n\t", max_size=9).map(str.strip)
ELEMENTS = st.recursive(
    st.builds(Element, ANY_NAMESPACE, NAMES, st.just(0), st.dictionaries(NAMES, TEXTS, max_size=2), TEXTS),
    lambda inner: st.builds(
        Element,
        ANY_NAMESPACE,
        NAMES,
        st.just(0),
        st.dictionaries(NAMES, TEXTS, max_size=2),
        st.just(""),
        st.lists(inner, max_size=3),
    ),
    max_leaves=4,
)


@given(st.lists(ELEMENTS, min_size=1, max_size=3))
def test_what_is_written_is_read_again(elements: list[Element]) -> None:
    body = extended(extension_xml(elements))
    assert etree.fromstring(body)[0][0].text == LISTED
    assert b"\n" not in body
    _, (entry,), lost = read_whole_entries("a.xml", body)
    assert [each.content for each in entry.extensions or ()] == [each.content for each in elements]
    assert lost == {}
