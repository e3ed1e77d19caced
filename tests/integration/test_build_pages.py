"""Builds of real folders: what is listed and why not, whatever bytes the files hold."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from builds import BASE, T, locs, page, reason_by_key

from waypost.core import reasons
from waypost.core.reasons import Reason

if TYPE_CHECKING:
    from repositories import Repository
    from sites import Build, Entries, Write


# What is listed, and what is not


LEFT_OUT: dict[str, tuple[str, Reason]] = {
    ".hidden/page.html": (page(), reasons.HIDDEN),
    "sub/.hidden.html": (page(), reasons.HIDDEN),
    "node_modules/lib/index.html": (page(), reasons.DEPENDENCY),
    "sub/node_modules/lib/index.html": (page(), reasons.DEPENDENCY),
    "drafts/a.html": (page(), reasons.EXCLUDED),
    "style.css": ("a{}", reasons.NOT_A_PAGE),
    "page.html.bak": (page(), reasons.NOT_A_PAGE),
    "404.html": (page(), reasons.ERROR_PAGE),
    "errors/500.html": (page(), reasons.ERROR_PAGE),
    "404/index.html": (page(), reasons.ERROR_PAGE),
    "robots.txt": ("User-agent: *\nDisallow: /private/\n", reasons.NOT_A_PAGE),
    "sitemap.xml": ("<urlset/>", reasons.OUTPUT),
    "private/page.html": (page(), reasons.ROBOTS_TXT),
    "index.htm": (page(), reasons.DUPLICATE),
    "noindex.html": (page(head="<meta name=ROBOTS content='nofollow, NoIndex'>"), reasons.NOINDEX),
    "none.html": (page(head="<META content=none name=robots>"), reasons.NOINDEX),
    "moved.html": (page(head="<meta http-equiv=refresh content='0; url=about.html'>"), reasons.REFRESH),
    "copy.html": (page(head="<link rel='nofollow canonical' href='/about.html'>"), reasons.CANONICAL),
    "foreign.html": (page(head="<link rel=canonical href='https://other.example/'>"), reasons.FOREIGN_CANONICAL),
    "draft.md": ("---\ndraft: true\n---\n# Draft\n", reasons.UNPUBLISHED),
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
    assert reason_by_key(plan) == expected | {
        "sub/.hidden.html": reasons.HIDDEN,
        "linked/.hidden.html": reasons.HIDDEN,
        r"caf\xe9.html": reasons.NAME_NOT_UTF8,
        r"tab\t.html": reasons.NAME_CONTROL,
        "/".join(["é" * 90] * 4) + "/page.html": reasons.LOC_TOO_LONG,
        "outside.html": reasons.LINK_OUTSIDE,
        "dangling.html": reasons.DANGLING_LINK,
        "sub/loop/": reasons.LINK_LOOP,
        "linked/loop/": reasons.LINK_LOOP,
        "linked/more/": reasons.NESTED_LINK,
        "pipe.html": reasons.NOT_A_FILE,
    }


_FOLDERS = {
    ".hidden/": reasons.HIDDEN,
    "node_modules/": reasons.DEPENDENCY,
    "sub/node_modules/": reasons.DEPENDENCY,
    "linked/node_modules/": reasons.DEPENDENCY,
    "drafts/": reasons.EXCLUDED,
}


def test_everything_else_is_listed_in_the_order_of_its_keys(build: Build, everything: Path) -> None:
    plan = build.plan(
        everything, exclude=["/drafts/"], pages=["html", "pdf", "markdown"], foreign_canonical="skip", drop_html=True
    )
    names = ["about", "empty", "files/guide.pdf", "guide", "", "linked/", "sub/", "sub/more/guide.pdf"]
    assert locs(plan) == [BASE + name for name in names]


@pytest.mark.parametrize(
    ("files", "settings", "loc", "left_out"),
    [
        (["a.html", "a/index.html"], {"drop_html": True, "trailing_slash": "always"}, "a/", "a.html"),
        (["index.htm", "index.html"], {"index_files": ["index.htm", "index.html"]}, "", "index.html"),
        (["a.html", "a.md"], {"pages": ["html", "markdown"]}, "a.html", "a.md"),
    ],
)
def test_files_that_give_one_loc_give_one_entry(
    build: Build, write: Write, files: list[str], settings: dict[str, Any], loc: str, left_out: str
) -> None:
    plan = build.plan(write(dict.fromkeys(files, page())), **settings)
    assert locs(plan) == [BASE + loc]
    assert reason_by_key(plan) == {left_out: reasons.DUPLICATE}


@pytest.mark.parametrize(
    ("base_url", "start"),
    [
        ("http://example.org:8080/a b/".replace(" ", "%20"), "http://example.org:8080/a%20b/"),
        ("https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC/"),
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
    assert reason_by_key(plan) == {
        "hidden.md": reasons.UNPUBLISHED,
        "own.md": reasons.UNPUBLISHED,
        "plain.html": reasons.NOT_A_PAGE,
    }


def test_what_git_ignores_is_left_out_if_asked(build: Build, repository: Repository) -> None:
    repository.commit({".gitignore": "/built/\n*.tmp.html\n!kept.tmp.html\n", "forced.tmp.html": page()}, when=T)
    repository.git("add", "--force", "forced.tmp.html")
    names = ["a.html", "b.tmp.html", "kept.tmp.html", "built/c.html", "built/deep/d.html", "sub/e.tmp.html"]
    repository.commit(dict.fromkeys(names, page()), when=T)
    plan = build.plan(repository.folder, skip_gitignored=True)
    assert locs(plan) == [f"{BASE}{name}" for name in ("a.html", "forced.tmp.html", "kept.tmp.html")]
    ignored = {key for key, reason in reason_by_key(plan).items() if reason == reasons.GIT_IGNORED}
    assert ignored == {"b.tmp.html", "built/c.html", "built/deep/d.html", "sub/e.tmp.html"}
    assert len(build.plan(repository.folder).pages) == 7


# Any bytes


NOINDEX = page(title="Ünï", head='<meta name="robots" content="noindex">', body="日本語 привет é")


@pytest.mark.parametrize(
    "content",
    [
        NOINDEX.encode("utf-8-sig"),
        b"\xff\xfe" + NOINDEX.encode("utf-16-le"),
        f'<meta charset="shift_jis">{NOINDEX}'.encode("shift_jis", "replace"),
        f'<meta charset="utf-7">{NOINDEX}'.encode(),
    ],
)
def test_a_page_in_any_encoding_is_read(build: Build, write: Write, content: bytes) -> None:
    plan = build.plan(write({"index.html": page(), "hidden.html": content}))
    assert reason_by_key(plan) == {"hidden.html": reasons.NOINDEX}


@pytest.mark.parametrize("lastmod", ["none", "content"])
def test_any_bytes_at_all_are_listed_or_left_out_with_a_reason(build: Build, write: Write, lastmod: str) -> None:
    samples = [b"", b"\x00" * 99, bytes(range(256)) * 200, b"\xff\xfe", b"<" * 70_000, b"<!--" * 9_000, b"</head>" * 50]
    samples += [
        b"<meta charset=",
        b"<div>" * 20_000,
        b"\xef\xbb\xbf",
        b"<base href='http://[bad'><link rel=canonical href='http://[bad'>",
    ]
    site = write({"index.html": page(), **{f"{n:02}.html": sample for n, sample in enumerate(samples)}})
    state: dict[str, Any] = {"state": str(site.parent / "state"), "lastmod": "content"} if lastmod == "content" else {}
    plan = build.plan(site, **state)
    assert {skipped.reason for skipped in plan.skipped} == {reasons.EMPTY, reasons.FRAGMENT}
    assert len(plan.pages) + len(plan.skipped) == len(samples) + 1


def test_a_page_of_100_megabytes_is_no_trouble(build: Build, write: Write) -> None:
    site = write({"big.html": page(), "hidden.html": page(head="<meta name=robots content=noindex>")})
    for name in ("big.html", "hidden.html"):
        os.truncate(site / name, 100 * 1024 * 1024)
    plan = build.plan(site, state=str(site.parent / "state"), lastmod="content")
    assert (locs(plan), reason_by_key(plan)) == ([f"{BASE}big.html"], {"hidden.html": reasons.NOINDEX})


def test_a_huge_head_is_read_to_its_end(build: Build, write: Write) -> None:
    filler = f"<style>{'a' * 300_000}</style><script>'</head><body>'</script><!-- </head> -->"
    site = write({"index.html": page(), "huge.html": page(head=f'{filler}<meta name="robots" content="noindex">')})
    assert reason_by_key(build.plan(site)) == {"huge.html": reasons.NOINDEX}
