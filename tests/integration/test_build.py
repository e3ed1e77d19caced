"""Builds of real folders: what is listed and why not, which dates stand, and what a run leaves alone."""

from __future__ import annotations

import gzip
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from waypost.errors import ConfigurationError, LedgerError, RenderError, SourceError, WaypostError
from waypost.model import Plan, Reason

if TYPE_CHECKING:
    from repositories import Repository
    from sites import Build, Entries, Write

Standing = Callable[[Path], dict[str, tuple[bytes, int]]]

T = 1_700_000_000
BASE = "https://example.org/"


def when(seconds: int) -> str:
    """T and some seconds as a sitemap writes it: T is 2023-11-14T22:13:20Z."""
    minutes, second = divmod(13 * 60 + 20 + seconds, 60)
    return f"2023-11-14T22:{minutes:02}:{second:02}Z"


def page(title: str = "A page", head: str = "", body: str = "Some text.") -> str:
    return f"<!doctype html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>"


def locs(plan: Plan) -> list[str]:
    return [page.loc for page in plan.pages]


def reasons(plan: Plan) -> dict[str, Reason]:
    return {skipped.key: skipped.reason for skipped in plan.skipped}


def warnings(plan: Plan) -> dict[str, int]:
    return {warned.code: warned.count for warned in plan.warned}


# What is listed, and what is not


LEFT_OUT: dict[str, tuple[str, Reason]] = {
    ".hidden/page.html": (page(), Reason.HIDDEN),
    "sub/.hidden.html": (page(), Reason.HIDDEN),
    "node_modules/lib/index.html": (page(), Reason.DEPENDENCY),
    "sub/node_modules/lib/index.html": (page(), Reason.DEPENDENCY),
    "drafts/a.html": (page(), Reason.EXCLUDED),
    "style.css": ("a{}", Reason.NOT_A_PAGE),
    "page.html.bak": (page(), Reason.NOT_A_PAGE),
    "404.html": (page(), Reason.ERROR_PAGE),
    "sub/500.html": (page(), Reason.ERROR_PAGE),
    "404/index.html": (page(), Reason.ERROR_PAGE),
    "robots.txt": ("User-agent: *\nDisallow: /private/\n", Reason.NOT_A_PAGE),
    "sitemap.xml": ("<urlset/>", Reason.OUTPUT),
    "private/page.html": (page(), Reason.ROBOTS_TXT),
    "index.htm": (page(), Reason.DUPLICATE),
    "noindex.html": (page(head="<meta name=ROBOTS content='nofollow, NoIndex'>"), Reason.NOINDEX),
    "none.html": (page(head="<META content=none name=robots>"), Reason.NOINDEX),
    "moved.html": (page(head="<meta http-equiv=refresh content='0; url=about.html'>"), Reason.REFRESH),
    "copy.html": (page(head="<link rel='nofollow canonical' href='/about.html'>"), Reason.CANONICAL),
    "foreign.html": (page(head="<link rel=canonical href='https://other.example/'>"), Reason.FOREIGN_CANONICAL),
    "draft.md": ("---\ndraft: true\n---\n# Draft\n", Reason.UNPUBLISHED),
}


@pytest.fixture
def everything(write: Write) -> Path:
    """A site with one of each kind of thing."""
    site = write({name: content for name, (content, _) in LEFT_OUT.items()})
    write({"index.html": page(), "about.html": page(), "guide.md": "# Guide", "files/guide.pdf": b"%PDF-"})
    write({"sub/index.html": page(), os.fsdecode(b"caf\xe9.html"): page(), "tab\t.html": page(), "empty.html": ""})
    write({"/".join(["é" * 90] * 4) + "/page.html": page()})
    (site.parent / "outside.html").write_text(page())
    (site / "outside.html").symlink_to("../outside.html")
    (site / "dangling.html").symlink_to("nowhere.html")
    (site / "sub/loop").symlink_to("..")
    (site / "linked").symlink_to("sub")
    (site / "sub/more").symlink_to("../files")
    os.mkfifo(site / "pipe.html")
    return site


def test_everything_left_out_has_its_reason(build: Build, everything: Path) -> None:
    plan = build.plan(
        everything,
        exclude=["/drafts/"],
        pages=["html", "pdf", "markdown"],
        foreign_canonical="skip",
    )
    expected = {name: reason for name, (_, reason) in LEFT_OUT.items() if reason not in _FOLDERS.values()} | _FOLDERS
    assert reasons(plan) == expected | {
        "sub/.hidden.html": Reason.HIDDEN,
        "linked/.hidden.html": Reason.HIDDEN,
        r"caf\xe9.html": Reason.NAME_NOT_UTF8,
        r"tab\t.html": Reason.NAME_CONTROL,
        "/".join(["é" * 90] * 4) + "/page.html": Reason.LOC_TOO_LONG,
        "outside.html": Reason.LINK_OUTSIDE,
        "dangling.html": Reason.DANGLING_LINK,
        "sub/loop/": Reason.LINK_LOOP,
        "linked/loop/": Reason.LINK_LOOP,
        "linked/more/": Reason.NESTED_LINK,
        "pipe.html": Reason.NOT_A_FILE,
    }


_FOLDERS = {
    ".hidden/": Reason.HIDDEN,
    "node_modules/": Reason.DEPENDENCY,
    "sub/node_modules/": Reason.DEPENDENCY,
    "linked/node_modules/": Reason.DEPENDENCY,
    "drafts/": Reason.EXCLUDED,
}


def test_everything_else_is_listed_in_the_order_of_its_keys(build: Build, everything: Path) -> None:
    plan = build.plan(
        everything, exclude=["/drafts/"], pages=["html", "pdf", "markdown"], foreign_canonical="skip", drop_html=True
    )
    names = ["about", "empty", "files/guide.pdf", "guide", "", "linked/500", "linked/", "sub/", "sub/more/guide.pdf"]
    assert locs(plan) == [BASE + name for name in names]


def test_only_what_include_matches_is_listed(build: Build, write: Write) -> None:
    plan = build.plan(write({"docs/a.html": page(), "docs/b.pdf": "", "c.html": page()}), include=["docs/*.html"])
    assert locs(plan) == [f"{BASE}docs/a.html"]
    assert set(reasons(plan).values()) == {Reason.NOT_INCLUDED}


def test_exclude_can_take_back_what_is_left_out_by_default(build: Build, write: Write) -> None:
    site = write({".well-known/page.html": page(), ".other/page.html": page(), "404.html": page()})
    assert locs(build.plan(site, exclude=["!.well-known/", "!404.html"])) == [
        f"{BASE}.well-known/page.html",
        f"{BASE}404.html",
    ]


@pytest.mark.parametrize(
    ("files", "settings", "loc", "left_out"),
    [
        (["a.html", "a/index.html"], {"drop_html": True, "trailing_slash": "always"}, "a/", "a.html"),
        (["a.html", "a/index.html"], {"drop_html": True, "trailing_slash": "never"}, "a", "a.html"),
        (["index.htm", "index.html"], {}, "", "index.htm"),
        (["index.htm", "index.html"], {"index_files": ["index.htm", "index.html"]}, "", "index.html"),
        (["a.htm", "a.html"], {"drop_html": True}, "a", "a.html"),
        (["a.html", "a.md"], {"pages": ["html", "markdown"]}, "a.html", "a.md"),
        (["README.md", "index.md"], {"pages": ["markdown"]}, "", "README.md"),
    ],
)
def test_files_that_give_one_loc_give_one_entry(
    build: Build, write: Write, files: list[str], settings: dict[str, Any], loc: str, left_out: str
) -> None:
    plan = build.plan(write(dict.fromkeys(files, page())), **settings)
    assert locs(plan) == [BASE + loc]
    assert reasons(plan) == {left_out: Reason.DUPLICATE}


def test_a_canonical_on_another_host_keeps_the_page_and_is_warned_of_once(build: Build, write: Write) -> None:
    head = '<link rel="canonical" href="https://other.example/page">'
    plan = build.plan(write({f"{n}.html": page(head=head) for n in range(5)}))
    assert len(plan.pages) == 5
    assert warnings(plan) == {"foreign-canonical": 5}


def test_robots_txt_is_obeyed_by_its_longest_rule(build: Build, write: Write) -> None:
    text = "User-agent: bot\nDisallow: /\n\nUser-agent: *\nDisallow: /a/\nAllow: /a/b\nDisallow: /*.pdf$\n"
    site = write({"robots.txt": text, "a/x.html": page(), "a/b.html": page(), "c.pdf": "", "c.pdf.html": page()})
    assert locs(build.plan(site)) == [f"{BASE}a/b.html", f"{BASE}c.pdf.html"]
    assert len(build.plan(site, respect_robots=False).pages) == 4


def test_robots_txt_in_a_folder_below_the_host_is_not_heeded_and_that_is_said(build: Build, write: Write) -> None:
    site = write({"robots.txt": "User-agent: *\nDisallow: /\n", "a.html": page()})
    plan = build.plan(site, "https://user.github.io/project/")
    assert locs(plan) == ["https://user.github.io/project/a.html"]
    assert "robots-not-at-root" in warnings(plan)


@pytest.mark.parametrize(
    ("base_url", "start"),
    [
        ("https://user.github.io/project", "https://user.github.io/project/"),
        ("HTTPS://Example.ORG:443", "https://example.org/"),
        ("http://example.org:8080/a b/".replace(" ", "%20"), "http://example.org:8080/a%20b/"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://example.org/ü", "https://example.org/%C3%BC/"),
    ],
)
def test_the_base_url_may_have_a_path_a_port_and_an_international_host(
    build: Build, write: Write, entries: Entries, base_url: str, start: str
) -> None:
    site = write(
        {"index.html": page(), "a&'b ü%.html": page(head=f'<link rel=canonical href="{start}a&amp;\'b ü%25.html">')}
    )
    build(site, base_url)
    assert list(entries(site / "sitemap.xml")) == [f"{start}a&'b%20%C3%BC%25.html", start]


def test_ampersand_and_apostrophe_are_entities_in_the_file(build: Build, write: Write) -> None:
    site = write({"a&'b.html": page()})
    build(site)
    assert b"<loc>https://example.org/a&amp;&apos;b.html</loc>" in (site / "sitemap.xml").read_bytes()


def test_markdown_is_listed_as_the_page_it_is_rendered_to(build: Build, write: Write) -> None:
    site = write(
        {
            "README.md": "# Home",
            "guide/index.md": "# Guide",
            "guide/one.markdown": "+++\ntitle = 'One'\n+++\n",
            "hidden.md": "---\nsitemap: false\n---\n",
            "own.md": "---\npermalink: /elsewhere/\n---\n",
            "plain.html": page(),
        }
    )
    plan = build.plan(site, pages=["markdown"])
    assert locs(plan) == [BASE, f"{BASE}guide/", f"{BASE}guide/one.html"]
    assert reasons(plan) == {
        "hidden.md": Reason.UNPUBLISHED,
        "own.md": Reason.UNPUBLISHED,
        "plain.html": Reason.NOT_A_PAGE,
    }


def test_what_git_ignores_is_left_out_if_asked(build: Build, repository: Repository) -> None:
    repository.commit({".gitignore": "/built/\n*.tmp.html\n!kept.tmp.html\n", "forced.tmp.html": page()}, when=T)
    repository.git("add", "--force", "forced.tmp.html")
    names = ["a.html", "b.tmp.html", "kept.tmp.html", "built/c.html", "built/deep/d.html", "sub/e.tmp.html"]
    repository.commit(dict.fromkeys(names, page()), when=T)
    plan = build.plan(repository.folder, skip_gitignored=True)
    assert locs(plan) == [f"{BASE}{name}" for name in ("a.html", "forced.tmp.html", "kept.tmp.html")]
    ignored = {key for key, reason in reasons(plan).items() if reason == Reason.GIT_IGNORED}
    assert ignored == {"b.tmp.html", "built/c.html", "built/deep/d.html", "sub/e.tmp.html"}
    assert len(build.plan(repository.folder).pages) == 7


def test_changefreq_and_priority_come_from_overrides_alone(build: Build, write: Write) -> None:
    site = write({"a.html": page(), "news/b.html": page()})
    build(site, overrides=[{"match": ["/news/"], "changefreq": "daily", "priority": 0.8}])
    body = (site / "sitemap.xml").read_text()
    assert body.count("<changefreq>") == body.count("<priority>") == 1
    assert "news/b.html</loc><changefreq>daily</changefreq><priority>0.8</priority>" in body


# Any bytes


NOINDEX = page(title="Ünï", head='<meta name="robots" content="noindex">', body="日本語 привет é")


@pytest.mark.parametrize(
    "content",
    [
        NOINDEX.encode("utf-8-sig"),
        b"\xff\xfe" + NOINDEX.encode("utf-16-le"),
        b"\xfe\xff" + NOINDEX.encode("utf-16-be"),
        *(
            f'<meta charset="{name}">{NOINDEX}'.encode(name, "replace")
            for name in (
                "utf-8",
                "latin-1",
                "windows-1252",
                "shift_jis",
                "euc-jp",
                "iso-2022-jp",
                "gb18030",
                "big5",
                "koi8-r",
            )
        ),
    ],
)
def test_a_page_in_any_encoding_is_read(build: Build, write: Write, content: bytes) -> None:
    plan = build.plan(write({"index.html": page(), "hidden.html": content}))
    assert reasons(plan) == {"hidden.html": Reason.NOINDEX}


@pytest.mark.parametrize(
    "name",
    [
        "utf-16",
        "utf-16le",
        "utf-32",
        "cp037",
        "utf-7",
        "punycode",
        "unicode_escape",
        "rot13",
        "hex",
        "no-such",
        "undefined",
    ],
)
def test_a_page_that_declares_a_charset_that_no_browser_believes_is_read_all_the_same(
    build: Build, write: Write, name: str
) -> None:
    r"""HTML, "prescan": UTF-16 in a meta tag means UTF-8, and an unknown name means nothing."""
    content = f'<!doctype html><meta charset="{name}"><title>\\d é</title><meta name=robots content=noindex>'
    plan = build.plan(write({"index.html": page(), "hidden.html": content}))
    assert reasons(plan) == {"hidden.html": Reason.NOINDEX}


@pytest.mark.parametrize("lastmod", ["none", "content"])
def test_any_bytes_at_all_are_a_page(build: Build, write: Write, lastmod: str) -> None:
    samples = [b"", b"\x00" * 99, bytes(range(256)) * 200, b"\xff\xfe", b"<" * 70_000, b"<!--" * 9_000, b"</head>" * 50]
    samples += [
        b"<meta charset=",
        b"<div>" * 20_000,
        b"\xef\xbb\xbf",
        b"<base href='http://[bad'><link rel=canonical href='http://[bad'>",
    ]
    site = write({f"{n:02}.html": sample for n, sample in enumerate(samples)})
    state: dict[str, Any] = {"state": str(site.parent / "state"), "lastmod": "content"} if lastmod == "content" else {}
    assert len(build.plan(site, **state).pages) == len(samples)


@pytest.mark.parametrize("lastmod", ["none", "content"])
def test_a_page_of_100_megabytes_is_no_trouble(build: Build, write: Write, lastmod: str) -> None:
    site = write({"big.html": page(), "hidden.html": page(head="<meta name=robots content=noindex>")})
    for name in ("big.html", "hidden.html"):
        os.truncate(site / name, 100 * 1024 * 1024)
    state: dict[str, Any] = {"state": str(site.parent / "state"), "lastmod": "content"} if lastmod == "content" else {}
    plan = build.plan(site, **state)
    assert (locs(plan), reasons(plan)) == ([f"{BASE}big.html"], {"hidden.html": Reason.NOINDEX})


@pytest.mark.parametrize("size", [20_000, 300_000, 3_000_000])
def test_a_huge_head_is_read_to_its_end(build: Build, write: Write, size: int) -> None:
    filler = f"<style>{'a' * size}</style><script>'</head><body>'</script><!-- </head> -->"
    site = write({"index.html": page(), "huge.html": page(head=f'{filler}<meta name="robots" content="noindex">')})
    assert reasons(build.plan(site)) == {"huge.html": Reason.NOINDEX}


# Runs


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"gzip": True},
        {"formats": ["xml", "text"], "gzip": True},
        {"groups": {"blog": ["/blog/"]}, "formats": ["xml", "text"]},
        {"robots_sitemaps": True},
        {"state": "state.jsonl", "lastmod": "content"},
    ],
)
def test_a_second_run_writes_nothing(build: Build, write: Write, standing: Standing, settings: dict[str, Any]) -> None:
    site = write({"index.html": page(), "blog/a.html": page()})
    first = build(site, **settings)
    before = standing(site.parent)
    second = build(site, **settings)
    assert (second.is_stale, list(second.unchanged)) == (False, [document.name for document in first.documents])
    assert standing(site.parent) == before


def test_a_page_added_and_one_removed_are_the_changes(build: Build, write: Write) -> None:
    site = write({"a.html": page(), "b.html": page()})
    build(site)
    (site / "a.html").unlink()
    write({"c.html": page()})
    changes = build(site).changes
    assert (changes.added, changes.removed, changes.redated) == ((f"{BASE}c.html",), (f"{BASE}a.html",), ())


def test_two_checkouts_give_the_same_bytes_whenever_and_however_they_were_made(
    build: Build, repository: Repository, tmp_path: Path
) -> None:
    for n in range(30):
        repository.commit({f"{'blog' if n % 3 else 'docs'}/page-{n}.html": page(str(n))}, when=T + n)
    outputs = []
    for name, order in (("one", 1), ("two", -1)):
        copy = tmp_path / name
        repository.git("clone", "--quiet", "--no-checkout", str(repository.folder), str(copy))
        files = repository.git("ls-files").split()[::order]
        for n, file in enumerate(files):
            (copy / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(repository.folder / file, copy / file)
            os.utime(copy / file, (n * order + 5_000, n * order + 5_000))
        repository.git("-C", str(copy), "reset", "--quiet")
        plan = build(copy, lastmod="git", gzip=True, groups={"blog": ["/blog/"]}, formats=["xml", "text"])
        outputs.append({document.name: (copy / document.name).read_bytes() for document in plan.documents})
    assert outputs[0] == outputs[1]
    assert len(outputs[0]) == 5
    assert b"2023-11-14T22:13:49Z" in gzip.decompress(outputs[0]["sitemap-blog.xml.gz"])


def test_a_gzip_file_carries_neither_time_nor_name(build: Build, write: Write) -> None:
    site = write({"index.html": page()})
    build(site, gzip=True)
    content = (site / "sitemap.xml.gz").read_bytes()
    assert content[3:8] == b"\0" * 5
    assert gzip.decompress(content).startswith(b"<?xml")


def test_a_gzip_file_whose_content_is_right_is_left_alone_however_it_was_packed(build: Build, write: Write) -> None:
    site = write({"index.html": page()})
    build(site, gzip=True)
    other = gzip.compress(gzip.decompress((site / "sitemap.xml.gz").read_bytes()), 9, mtime=5)
    write({"sitemap.xml.gz": other})
    assert not build(site, gzip=True).is_stale
    assert (site / "sitemap.xml.gz").read_bytes() == other


@pytest.mark.parametrize(
    ("before", "after", "removed"),
    [
        ({"groups": {"blog": ["/blog/"]}}, {}, ["sitemap-blog.xml", "sitemap-pages.xml"]),
        ({"groups": {"blog": ["/blog/"]}}, {"groups": {"news": ["/blog/"]}}, ["sitemap-blog.xml"]),
        ({"gzip": True}, {}, ["sitemap.xml.gz"]),
        ({}, {"gzip": True}, ["sitemap.xml"]),
        ({"formats": ["xml", "text"]}, {}, ["sitemap.txt"]),
        ({"formats": ["xml", "text"], "gzip": True}, {"gzip": True}, ["sitemap.txt.gz"]),
    ],
)
def test_outputs_that_the_settings_name_no_more_are_removed(
    build: Build, write: Write, before: dict[str, Any], after: dict[str, Any], removed: list[str]
) -> None:
    site = write({"index.html": page(), "blog/a.html": page()})
    build(site, **before)
    assert list(build(site, **after).removed) == removed
    assert not [name for name in removed if (site / name).exists()]
    assert not build(site, **after).is_stale


def test_sitemaps_made_by_hand_or_by_others_are_kept(build: Build, write: Write) -> None:
    made: dict[str, str | bytes] = {
        "sitemap-news.xml": "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>",
        "sitemap-old.xml.gz": gzip.compress(b"<urlset/>"),
        "sitemap-notes.txt": "notes",
        "sitemap.txt": "https://example.org/by-hand\n",
        "sitemap-damaged.xml.gz": b"\x1f\x8b not gzip",
        "sitemapper.xml": "<!-- Rendered by Waypost; changes made by hand are lost. -->",
    }
    site = write({"index.html": page(), **made})
    assert list(build(site).removed) == []
    assert {name: (site / name).read_bytes() for name in made} == {
        name: content.encode() if isinstance(content, str) else content for name, content in made.items()
    }


def test_one_sitemap_becomes_an_index_with_groups_and_back(build: Build, write: Write, entries: Entries) -> None:
    site = write({"index.html": page(), "blog/a.html": page()})
    build(site)
    alone = (site / "sitemap.xml").read_bytes()
    build(site, groups={"blog": ["/blog/"], "empty": ["/nothing/"]})
    assert list(entries(site / "sitemap.xml")) == [f"{BASE}sitemap-pages.xml", f"{BASE}sitemap-blog.xml"]
    assert list(entries(site / "sitemap-blog.xml")) == [f"{BASE}blog/a.html"]
    build(site)
    assert (site / "sitemap.xml").read_bytes() == alone
    assert sorted(path.name for path in site.glob("*.xml")) == ["sitemap.xml"]


def test_a_page_in_two_groups_is_in_the_first(build: Build, write: Write) -> None:
    plan = build.plan(write({"a/b.html": page()}), groups={"one": ["/a/"], "two": ["/a/"]})
    assert [page.group for page in plan.pages] == ["one"]


def test_over_50_000_pages_become_an_index_and_one_more_changes_one_file(
    build: Build, write: Write, entries: Entries, tmp_path: Path
) -> None:
    site = write({})
    for n in range(50_001):
        (site / f"{n:05}.pdf").touch()
    plan = build(site, output=tmp_path / "out")
    children = list(entries(tmp_path / "out" / "sitemap.xml"))
    found = [loc for child in children for loc in entries(tmp_path / "out" / child.removeprefix(BASE))]
    assert len(children) > 1
    assert sorted(found) == sorted(locs(plan))
    (site / "30000a.pdf").touch()
    assert len(build.plan(site, output=tmp_path / "out").written) == 1


def test_an_output_folder_of_its_own_leaves_the_source_alone(
    build: Build, write: Write, standing: Standing, tmp_path: Path
) -> None:
    site = write({"index.html": page(), "robots.txt": "User-agent: *\n"})
    before = standing(site)
    build(site, output=tmp_path / "out", robots_sitemaps=True)
    assert standing(site) == before
    assert (tmp_path / "out" / "robots.txt").read_text() == f"User-agent: *\nSitemap: {BASE}sitemap.xml\n"


@pytest.mark.parametrize("below", ["maps", "deep/er"])
def test_an_output_folder_inside_the_source_is_refused(build: Build, write: Write, below: str) -> None:
    site = write({"index.html": page()})
    with pytest.raises(ConfigurationError, match="output: "):
        build(site, output=site / below)
    assert not (site / below).exists()


def test_a_file_replaced_keeps_its_permissions(build: Build, write: Write) -> None:
    site = write({"index.html": page(), "sitemap.xml": "old"})
    (site / "sitemap.xml").chmod(0o640)
    build(site)
    assert (site / "sitemap.xml").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    "files", [{}, {"style.css": "a{}"}, {"hidden.html": page(head="<meta name=robots content=none>")}]
)
def test_a_site_without_pages_is_an_error_and_what_stood_still_stands(
    build: Build, write: Write, standing: Standing, files: dict[str, str]
) -> None:
    site = write({"index.html": page()})
    build(site, groups={"g": ["/x/"]})
    (site / "index.html").unlink()
    before = standing(write(files))
    with pytest.raises(SourceError, match="no page to list") as raised:
        build(site, groups={"g": ["/x/"]})
    assert raised.value.exit_code == 3
    assert standing(site) == before


def test_a_source_that_is_no_folder_is_an_error(build: Build, write: Write) -> None:
    with pytest.raises(SourceError, match=r"index\.html is not a folder"):
        build(write({"index.html": page()}) / "index.html")


# robots.txt


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, b"Sitemap: https://example.org/sitemap.xml\n"),
        (b"", b"Sitemap: https://example.org/sitemap.xml\n"),
        (b"User-agent: *\nDisallow: /x", b"User-agent: *\nDisallow: /x\nSitemap: https://example.org/sitemap.xml\n"),
        (
            b"\xef\xbb\xbf# caf\xe9\r\nSitemap: https://other.example/s.xml\r\n",
            b"\xef\xbb\xbf# caf\xe9\r\nSitemap: https://other.example/s.xml\r\n"
            b"Sitemap: https://example.org/sitemap.xml\r\n",
        ),
        (
            b"sitemap:https://example.org/sitemap.xml # ours\nUser-agent: *\n",
            b"sitemap:https://example.org/sitemap.xml # ours\nUser-agent: *\n",
        ),
        (
            b"Sitemap: https://example.org/sitemap.xml.gz\nUser-agent: *\nSitemap: https://example.org/sitemap-mine.xml\n",
            b"User-agent: *\nSitemap: https://example.org/sitemap-mine.xml\nSitemap: https://example.org/sitemap.xml\n",
        ),
    ],
)
def test_robots_txt_gains_its_line_and_no_other_byte_changes(
    build: Build, write: Write, before: bytes | None, after: bytes
) -> None:
    site = write({"index.html": page()})
    if before is not None:
        write({"robots.txt": before})
    build(site, robots_sitemaps=True)
    assert (site / "robots.txt").read_bytes() == after


def test_robots_txt_is_left_alone_unless_asked(build: Build, write: Write) -> None:
    site = write({"index.html": page()})
    build(site)
    assert not (site / "robots.txt").exists()


# Dates from Git


def test_an_index_dates_a_group_by_the_last_commit_that_touched_or_removed_a_page_of_it(
    build: Build, repository: Repository, entries: Entries
) -> None:
    site = repository.folder
    repository.commit({"index.html": page(), "blog/a.html": page(), "blog/b.html": page()}, when=T)
    repository.commit({"blog/a.html": page("changed")}, when=T + 1)
    repository.commit({"blog/b.html": None}, when=T + 2)
    repository.commit({"blog/style.css": "a{}", "blog/.hidden.html": page()}, when=T + 3)
    repository.commit({"about.html": page()}, when=T + 4)
    build(site, lastmod="git", groups={"blog": ["/blog/"], "docs": ["/docs/"]})
    assert entries(site / "sitemap-blog.xml") == {f"{BASE}blog/a.html": when(1)}
    assert entries(site / "sitemap.xml") == {f"{BASE}sitemap-pages.xml": when(4), f"{BASE}sitemap-blog.xml": when(2)}


def test_committing_the_sitemaps_makes_nothing_stale(build: Build, repository: Repository) -> None:
    repository.commit({"index.html": page(), "blog/a.html": page()}, when=T)
    settings: dict[str, Any] = {"lastmod": "git", "groups": {"blog": ["/blog/"]}, "robots_sitemaps": True}
    build(repository.folder, **settings)
    repository.commit({}, when=T + 5)
    assert not build.plan(repository.folder, **settings).is_stale


def test_a_date_may_be_the_day_alone(build: Build, repository: Repository, entries: Entries) -> None:
    repository.commit({"index.html": page(), "blog/a.html": page()}, when=T)
    build(repository.folder, lastmod="git", precision="date", groups={"blog": ["/blog/"]})
    assert entries(repository.folder / "sitemap-blog.xml") == {f"{BASE}blog/a.html": "2023-11-14"}
    assert set(entries(repository.folder / "sitemap.xml").values()) == {"2023-11-14"}


def test_pages_without_a_commit_have_no_date_and_are_warned_of(build: Build, repository: Repository) -> None:
    repository.commit({"a.html": page(), "b.html": page()}, when=T)
    repository.write({"b.html": page("edited"), "c.html": page()})
    plan = build.plan(repository.folder, lastmod="git")
    assert [each.lastmod for each in plan.pages] == [when(0), None, None]
    assert warnings(plan) == {"uncommitted": 1, "untracked": 1}


def test_a_shallow_clone_warns_of_the_pages_beyond_its_edge(
    build: Build, repository: Repository, tmp_path: Path
) -> None:
    repository.commit({"a.html": page()}, when=T)
    repository.commit({"b.html": page()}, when=T + 1)
    repository.commit({"c.html": page()}, when=T + 2)
    repository.git("clone", "--quiet", "--depth=2", repository.folder.as_uri(), str(tmp_path / "shallow"))
    plan = build.plan(tmp_path / "shallow", lastmod="git")
    assert [each.lastmod for each in plan.pages] == [None, None, when(2)]
    assert warnings(plan) == {"shallow": 2}
    assert any("fetch-depth: 0" in warned.message for warned in plan.warned)


def test_a_folder_in_no_repository_has_no_dates_and_that_is_said_once(build: Build, write: Write) -> None:
    plan = build.plan(write({"a.html": page(), "b.html": page()}), lastmod="git")
    assert [each.lastmod for each in plan.pages] == [None, None]
    assert warnings(plan) == {"no-repository": 1}


def test_a_repository_that_git_refuses_is_an_error_with_git_s_own_remedy(
    build: Build, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit({"a.html": page()}, when=T)
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(SourceError, match=r"safe\.directory"):
        build.plan(repository.folder, lastmod="git")


def test_a_repository_that_git_refuses_is_no_matter_where_no_dates_are_wanted(
    build: Build, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit({"a.html": page()}, when=T)
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    assert locs(build.plan(repository.folder, lastmod="none")) == [f"{BASE}a.html"]


def test_without_git_on_the_machine_there_are_no_dates_and_that_is_said(
    build: Build, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit({"a.html": page()}, when=T)
    monkeypatch.setenv("PATH", "/nowhere")
    plan = build.plan(repository.folder, lastmod="git")
    assert [each.lastmod for each in plan.pages] == [None]
    assert warnings(plan) == {"no-repository": 1}


def test_a_linked_page_has_the_date_of_its_content(build: Build, repository: Repository) -> None:
    repository.commit({"a.html": page()}, when=T)
    (repository.folder / "b.html").symlink_to("a.html")
    repository.commit({}, when=T + 1)
    repository.commit({"a.html": page("changed")}, when=T + 2)
    assert [each.lastmod for each in build.plan(repository.folder, lastmod="git").pages] == [when(2), when(2)]


# Dates of pages built from sources


PRESETS: dict[str, dict[str, str]] = {
    "hugo": {
        "index.html": "content/_index.md",
        "posts/index.html": "content/posts/_index.md",
        "posts/first/index.html": "content/posts/first.md",
        "posts/bundle/index.html": "content/posts/bundle/index.md",
        "guide.pdf": "static/guide.pdf",
    },
    "jekyll": {
        "index.html": "index.md",
        "about.html": "about.markdown",
        "2024/01/02/hello-world.html": "_posts/2024-01-02-hello-world.md",
        "news/2024/01/03/category.html": "_posts/2024-01-03-category.md",
        "recipes/pie.html": "_recipes/pie.md",
        "docs/index.html": "docs/README.md",
        "guide.pdf": "guide.pdf",
    },
    "mkdocs": {
        "index.html": "docs/index.md",
        "guide/index.html": "docs/guide/index.md",
        "guide/install/index.html": "docs/guide/install.md",
        "api/index.html": "docs/api/README.md",
        "guide.pdf": "docs/guide.pdf",
    },
    "docusaurus": {
        "index.html": "src/pages/index.tsx",
        "about/index.html": "src/pages/about.jsx",
        "docs/intro/index.html": "docs/intro.md",
        "docs/more/index.html": "docs/more/index.mdx",
        "blog/2024/01/02/hello/index.html": "blog/2024-01-02-hello.md",
        "guide.pdf": "static/guide.pdf",
    },
    "astro": {
        "index.html": "src/pages/index.astro",
        "about/index.html": "src/pages/about.md",
        "blog/index.html": "src/pages/blog/index.astro",
        "blog/first/index.html": "src/content/blog/first.mdx",
        "guide.pdf": "public/guide.pdf",
    },
    "eleventy": {
        "index.html": "index.njk",
        "about/index.html": "about.md",
        "blog/index.html": "src/blog/index.liquid",
        "blog/first/index.html": "blog/first.md",
        "guide.pdf": "guide.pdf",
    },
}


@pytest.fixture
def built(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], Path]:
    """A repository of sources, each committed a second after the one before, and its untracked site."""

    def make(pages: dict[str, str]) -> Path:
        repository.commit({".gitignore": "/_built/\n"}, when=T - 9)
        for n, source in enumerate(dict.fromkeys(pages.values())):
            repository.commit({source: f"# {source}"}, when=T + n)
        repository.write({f"_built/{name}": page(name) for name in pages})
        monkeypatch.chdir(repository.folder)
        return repository.folder / "_built"

    return make


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_dates_built_pages_by_their_sources(
    build: Build, built: Callable[[dict[str, str]], Path], preset: str
) -> None:
    plan = build.plan(built(PRESETS[preset]), preset=preset)
    assert {each.key: each.lastmod for each in plan.pages} == {key: when(n) for n, key in enumerate(PRESETS[preset])}
    assert not plan.warned


def test_sources_with_captures_and_globs_date_a_page_by_the_newest_file_it_is_made_of(
    build: Build, built: Callable[[dict[str, str]], Path], repository: Repository
) -> None:
    site = built({"team/index.html": "data/team/a.yml", "de/docs/x/y/index.html": "i18n/de/x/y.md", "lone.html": "-"})
    repository.commit({"data/team/b.yml": "b", "data/team/deep/c.yml": "c", "theme/x/base.html": "x"}, when=T + 20)
    repository.commit({"data/team/deep/c.yml": "d", "i18n/en/x/y.md": "en"}, when=T + 30)
    plan = build.plan(
        site,
        sources=[
            {"page": "team/index.html", "files": ["data/team/*.yml"]},
            {"page": "{lang}/docs/{**path}/index.html", "files": ["i18n/{lang}/{**path}.md", "theme/**"]},
        ],
    )
    assert {each.key: each.lastmod for each in plan.pages} == {
        "de/docs/x/y/index.html": when(20),
        "lone.html": None,
        "team/index.html": when(20),
    }
    assert warnings(plan) == {"sourceless": 1}


def test_a_page_whose_source_is_removed_dates_its_sitemap(
    build: Build, built: Callable[[dict[str, str]], Path], repository: Repository, entries: Entries
) -> None:
    site = built(
        {
            "posts/a/index.html": "content/posts/a.md",
            "posts/b/index.html": "content/posts/b.md",
            "index.html": "content/_index.md",
        }
    )
    repository.commit({"content/posts/b.md": None}, when=T + 40)
    (site / "posts/b/index.html").unlink()
    build(site, preset="hugo", groups={"posts": ["/posts/"]})
    assert entries(site / "sitemap.xml") == {f"{BASE}sitemap-pages.xml": when(2), f"{BASE}sitemap-posts.xml": when(40)}


# Dates by content


@pytest.fixture
def remembering(build: Build, write: Write, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, str | None]]:
    """Write files and build with a state at a time; the dates by key."""

    def run(files: dict[str, str | bytes], at: int, **settings: Any) -> dict[str, str | None]:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(T + at))
        plan = build(write(files), lastmod="content", state="state.jsonl", **settings)
        return {each.key: each.lastmod for each in plan.pages}

    return run


Remembering = Callable[..., dict[str, str | None]]


def test_content_has_no_date_until_it_changes(remembering: Remembering) -> None:
    first = {"a.html": page(body="one"), "b.html": page(), "c.pdf": b"one"}
    assert set(remembering(first, 0).values()) == {None}
    assert set(remembering(first, 1).values()) == {None}
    changed = {"a.html": page(body="two"), "c.pdf": b"two"}
    assert remembering(changed, 2) == {"a.html": when(2), "b.html": None, "c.pdf": when(2)}
    assert remembering({}, 3) == {"a.html": when(2), "b.html": None, "c.pdf": when(2)}


@pytest.mark.parametrize(
    "head",
    [
        '<script src="/app.4f3e.js"></script>',
        "<script nonce=abc>let build = 1</script>",
        "<!-- built at 12:00 -->",
        "<meta name=generator content='Hugo 1'>",
        "<style>a{}</style>",
        "<link rel=stylesheet href=/a.css?v=2>",
    ],
)
def test_what_no_reader_sees_moves_no_date(remembering: Remembering, head: str) -> None:
    remembering({"a.html": page(body='<p class="x">Some  text.')}, 0)
    assert remembering({"a.html": page(head=head, body=f'<p class="y">Some\n text.</p>{head}')}, 1) == {"a.html": None}


@pytest.mark.parametrize("change", [{"title": "Other"}, {"body": "Other"}, {"body": "Some text. More."}])
def test_what_a_reader_sees_moves_the_date(remembering: Remembering, change: dict[str, str]) -> None:
    remembering({"a.html": page()}, 0)
    assert remembering({"a.html": page(**change)}, 1) == {"a.html": when(1)}


def test_a_build_stamp_on_every_page_moves_neither_a_page_nor_an_index(
    remembering: Remembering, entries: Entries, tmp_path: Path
) -> None:
    groups = {"blog": ["/blog/"]}
    remembering({"index.html": page(), "blog/a.html": page()}, 0, groups=groups)
    remembering({"blog/a.html": page(body="new")}, 1, groups=groups)
    stamp = "<!-- build 2 -->"
    remembering({"index.html": page(head=stamp), "blog/a.html": page(head=stamp, body="new")}, 2, groups=groups)
    index = entries(tmp_path / "site" / "sitemap.xml")
    assert index == {f"{BASE}sitemap-pages.xml": None, f"{BASE}sitemap-blog.xml": when(1)}


def test_the_state_lists_what_is_there_and_nothing_that_is_gone(remembering: Remembering, tmp_path: Path) -> None:
    remembering({"a.html": page(), "b.html": page()}, 0)
    (tmp_path / "site" / "a.html").unlink()
    remembering({}, 1)
    state = (tmp_path / "state.jsonl").read_text()
    assert '"b.html"' in state
    assert '"a.html"' not in state


@pytest.mark.parametrize(
    "state",
    [
        b"",
        b"not json\n",
        b'["other-program",1]\n',
        b'["waypost-state",2]\n["page","new-kind-of-line"]\n',
        b'["waypost-state",1]\n["page","a.html","x"]\n',
        b'["waypost-state",1]\n["ghost","a.html","x",null]\n',
        b"\xff\xfe\x00",
    ],
)
def test_a_state_that_is_damaged_or_newer_is_an_error_and_nothing_changes(
    remembering: Remembering, standing: Standing, tmp_path: Path, state: bytes
) -> None:
    remembering({"a.html": page()}, 0)
    (tmp_path / "state.jsonl").write_bytes(state)
    (tmp_path / "site" / "b.html").write_text(page())
    before = standing(tmp_path)
    with pytest.raises(LedgerError, match=r"state\.jsonl:[12]: ") as raised:
        remembering({}, 1)
    assert raised.value.exit_code == 6
    assert standing(tmp_path) == before


def test_a_half_written_state_is_an_error(remembering: Remembering, tmp_path: Path) -> None:
    remembering({f"{n}.html": page() for n in range(9)}, 0)
    whole = (tmp_path / "state.jsonl").read_bytes()
    (tmp_path / "state.jsonl").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(LedgerError):
        remembering({}, 1)


def test_a_state_in_the_site_is_not_listed(build: Build, write: Write) -> None:
    site = write({"a.html": page()})
    settings: dict[str, Any] = {
        "lastmod": "content",
        "state": str(site / ".waypost" / "state.jsonl"),
        "pages": ["html", ".jsonl"],
    }
    build(site, **settings)
    assert locs(build(site, **settings)) == [f"{BASE}a.html"]


# Dates that pages give themselves


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.html", page(head='<meta property="article:modified_time" content="2020-02-03T04:05:06+02:00">')),
        ("a.html", page(head='<meta name="Last-Modified" content="2020-02-03T02:05:06Z">')),
        (
            "a.html",
            page(
                body='<script type="application/ld+json">{"@graph":[{"dateModified":"2020-02-03T02:05:06Z"}]}</script>'
            ),
        ),
        ("a.md", "---\ndate: 2019-01-01\nlastmod: 2020-02-03T02:05:06Z\n---\n"),
        ("a.md", "+++\ndate = 2020-02-03T02:05:06Z\n+++\n"),
    ],
)
def test_a_page_s_own_date_is_believed_if_asked(build: Build, repository: Repository, name: str, content: str) -> None:
    repository.commit({name: content, "b.html": page()}, when=T)
    settings: dict[str, Any] = {"lastmod": "git", "pages": ["html", "markdown"]}
    believed = build.plan(repository.folder, page_dates=True, **settings)
    assert [each.lastmod for each in believed.pages] == ["2020-02-03T02:05:06Z", when(0)]
    assert [each.lastmod for each in build.plan(repository.folder, **settings).pages] == [when(0), when(0)]


def test_a_date_in_the_future_is_not_believed_and_warned_of(
    build: Build, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(T))
    head = '<meta property="article:modified_time" content="{}">'
    site = write({f"{day}.html": page(head=head.format(day)) for day in ("2023-11-14", "2023-11-15", "2099-01-01")})
    plan = build.plan(site, page_dates=True)
    assert [each.lastmod for each in plan.pages] == ["2023-11-14", None, None]
    assert warnings(plan) == {"future-date": 2}


def test_a_page_s_own_date_is_that_of_its_first_sight(remembering: Remembering) -> None:
    head = '<meta property="article:modified_time" content="2020-02-03">'
    assert remembering({"a.html": page(head=head)}, 0, page_dates=True) == {"a.html": "2020-02-03"}
    assert remembering({"a.html": page(head=head, body="new")}, 1, page_dates=True) == {"a.html": when(1)}


# Templates


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
        ("\n{{ 1 / 0 }}", r"sitemap\.xml\.j2:2: .*division"),
        ("{{ ''.__class__.__mro__ }}", r"sitemap\.xml\.j2:1: "),
        ("{% include 'absent.j2' %}", r"sitemap\.xml\.j2:1: .*absent\.j2"),
        ("<urlset>", "not well-formed"),
        ("<html/>", "root is html"),
        (GOOD.replace("{% include 'url.j2' %}", ""), "is missing"),
        (GOOD.replace("{% include 'url.j2' %}", "<url><loc>{{ url.loc }}x</loc></url>"), "is missing"),
        (GOOD.replace("{% include 'url.j2' %}", "<url><loc>{{ url.loc }}</loc></url>" * 2), "repeated"),
        (GOOD.replace("{% include 'url.j2' %}", "<url><loc>{{ url.loc }}</loc></url><x/>"), "root holds .*x,"),
    ],
)
def test_a_template_s_mistake_is_reported_and_what_is_published_stays(
    build: Build, write: Write, standing: Standing, templates: Templates, text: str, message: str
) -> None:
    site = write({"a.html": page()})
    build(site)
    write({"b.html": page()})
    before = standing(site)
    with pytest.raises(RenderError, match=message) as raised:
        build(site, templates=templates({"sitemap.xml.j2": text}))
    assert raised.value.exit_code == 4
    assert standing(site) == before


def test_robots_txt_comes_to_rest_whatever_its_template_adds(build: Build, write: Write, templates: Templates) -> None:
    site = write({"a.html": page()})
    folder = templates({"robots.txt.j2": "# ours\n{% for url in urls %}\nSitemap: {{ url }}\n{% endfor %}\n"})
    build(site, templates=folder, robots_sitemaps=True)
    assert not build(site, templates=folder, robots_sitemaps=True).is_stale


def test_a_template_that_is_not_utf_8_is_an_error_for_the_reader(build: Build, write: Write, tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "sitemap.xml.j2").write_bytes(b"\xff")
    with pytest.raises(WaypostError, match=r"sitemap\.xml\.j2"):
        build(write({"a.html": page()}), templates="templates")


def test_an_output_that_is_a_folder_is_an_error_for_the_reader(build: Build, write: Write) -> None:
    site = write({"a.html": page(), "sitemap.xml/b.html": page()})
    with pytest.raises(WaypostError, match=r"sitemap\.xml") as raised:
        build(site)
    assert raised.value.exit_code == 5
