"""`waypost merge`: several sitemaps become one, or the children of one index."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from unit.cli.invoke import BASE, Invoke, urlset

FLAGS = ("--base-url", BASE, "--output", "out")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with the sitemaps of two repositories."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    (tmp_path / "a.xml").write_text(urlset("a/1", "a/2", lastmod="2026-01-02"))
    (tmp_path / "b.xml").write_text(
        urlset("b/1", "a/2").replace("</urlset>", "<url><loc>https://b.dev/</loc></url></urlset>")
    )
    return tmp_path


def test_one_sitemap_lists_each_url_once_and_what_is_left_out_is_said(folder: Path, invoke: Invoke) -> None:
    done = invoke("merge", "a.xml", "b.xml", *FLAGS)
    assert done.exit_code == 0, done.stderr
    text = (folder / "out/sitemap.xml").read_text()
    assert [line.partition("</loc>")[0] for line in text.splitlines() if line.startswith("<url>")] == [
        f"<url><loc>{BASE}{path}" for path in ("a/1", "a/2", "b/1")
    ]
    assert text.count("<lastmod>2026-01-02</lastmod>") == 2
    assert "https://b.dev/ (line 1 of b.xml)" in done.stdout
    assert f"{BASE}a/2 (line 1 of b.xml, after line 1 of a.xml)" in done.stdout
    assert invoke("merge", "a.xml", "b.xml", *FLAGS, "--check").exit_code == 0


def test_a_dry_run_and_a_check_write_nothing(folder: Path, invoke: Invoke) -> None:
    assert invoke("merge", "a.xml", *FLAGS, "--dry-run").exit_code == 0
    assert invoke("merge", "a.xml", *FLAGS, "--check").exit_code == 1
    assert json.loads(invoke("merge", "a.xml", *FLAGS, "--dry-run", "--json").stdout)["url_count"] == 2
    assert list((folder / "out").iterdir()) == []


def test_an_index_lists_the_sitemaps_with_the_date_of_the_newest_entry_if_all_have_one(
    folder: Path, invoke: Invoke
) -> None:
    for name in "ab":
        (folder / "out" / name).mkdir()
        (folder / "out" / name / "sitemap.xml").write_bytes((folder / f"{name}.xml").read_bytes())
    done = invoke("merge", "a/sitemap.xml", f"{BASE}b/sitemap.xml", "--index", *FLAGS)
    assert done.exit_code == 0, done.stderr
    assert "an index of 2 sitemaps, sitemap.xml" in done.stdout
    text = (folder / "out/sitemap.xml").read_text()
    assert f"<sitemap><loc>{BASE}a/sitemap.xml</loc><lastmod>2026-01-02</lastmod></sitemap>" in text
    assert f"<sitemap><loc>{BASE}b/sitemap.xml</loc></sitemap>" in text
    assert "outside of its folder" in done.stderr or "at or below its own folder" in done.stderr


def test_robots_txt_of_the_output_counts_and_no_file_of_it_is_a_page(folder: Path, invoke: Invoke) -> None:
    (folder / "out/index.html").write_text("<title>Home</title>")
    (folder / "out/robots.txt").write_text("User-agent: *\nDisallow: /a/1")
    assert json.loads(invoke("merge", "a.xml", *FLAGS, "--json").stdout)["changes"]["added"] == [f"{BASE}a/2"]


def test_the_output_folder_need_not_exist(folder: Path, invoke: Invoke) -> None:
    (folder / "a.xml").write_text(urlset("a"))
    assert invoke("merge", "a.xml", "--base-url", BASE, "--output", "new/out").exit_code == 0
    assert f"<loc>{BASE}a</loc>" in (folder / "new/out/sitemap.xml").read_text()


EXTENDED = f"""<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"
  xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:x="urn:x"
  xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"
  xmlns:video="http://www.google.com/schemas/sitemap-video/1.1">
<url><loc>{BASE}a</loc><lastmod>2026-01-01</lastmod><changefreq>daily</changefreq><priority>0.5</priority>
  <image:image><image:loc>{BASE}a.png</image:loc><image:title>A</image:title></image:image>
  <xhtml:link rel="alternate" hreflang="de" href="{BASE}de/"/><xhtml:link rel="alternate" hreflang="xx-yy" href="/x"/>
  <x:rank x:a="1">5</x:rank></url>
<url><loc>{BASE}n</loc><news:news><news:title>Only a title</news:title></news:news></url>
<url><loc>{BASE}v</loc><video:video><video:title>No thumbnail</video:title></video:video></url></urlset>"""


SAME = "3 URLs before, 3 now: 0 added, 0 removed, 0 with another date\n"


@pytest.mark.parametrize(
    "settings",
    [(), ("--set", "alternates=true", "--set", "images=true", "--set", "videos=true"), ("--set", "gzip=true")],
)
def test_all_extensions_are_kept_whatever_the_settings_of_one_s_own_pages_are(
    folder: Path, invoke: Invoke, settings: tuple[str, ...]
) -> None:
    (folder / "a.xml").write_text(EXTENDED)
    done = invoke("merge", "a.xml", *FLAGS, *settings)
    assert (done.exit_code, done.stderr.count("warning")) == (0, 0), done.stderr
    name = "out/sitemap.xml.gz" if "gzip=true" in settings else "out/sitemap.xml"
    assert invoke("diff", "a.xml", name).stdout.endswith(SAME)
    assert invoke("merge", "a.xml", *FLAGS, *settings, "--check").exit_code == 0


def test_what_a_build_lists_of_another_tool_s_sitemap_has_all_extensions(folder: Path, invoke: Invoke) -> None:
    (folder / "a.xml").write_text(EXTENDED)
    (folder / "site").mkdir()
    (folder / "site" / "index.html").write_text("<title>Home</title><p>Home")
    done = invoke("build", "site", "--base-url", BASE, "--set", 'sitemaps=["a.xml"]')
    assert done.exit_code == 0, done.stderr
    (folder / "site" / "index.html").unlink()
    listed = (folder / "site" / "sitemap.xml").read_text().replace(f"<url><loc>{BASE}</loc></url>\n", "")
    (folder / "b.xml").write_text(listed)
    assert invoke("diff", "a.xml", "b.xml").stdout.endswith(SAME)


def test_what_cannot_be_kept_is_counted_and_named(folder: Path, invoke: Invoke) -> None:
    (folder / "a.xml").write_text(
        EXTENDED.replace("2026-01-01", "soon").replace("daily", "often").replace("x:rank", "rank")
    )
    done = invoke("merge", "a.xml", *FLAGS)
    assert done.exit_code == 0
    assert "has what cannot be kept" in done.stderr
    assert "[1 file: a.xml (1 changefreq, 1 element rank, 1 lastmod)]" in done.stderr.replace("\n", " ")
