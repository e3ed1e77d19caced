"""`waypost merge`: several sitemaps become one, or the children of one index."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from unit.cli.invoke import BASE, Invoke, index, urlset

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


def test_the_limits_hold_for_the_merged_sitemap(folder: Path, invoke: Invoke) -> None:
    (folder / "a.xml").write_text(urlset(*(f"p/{n:06}" for n in range(50_001))))
    done = invoke("merge", "a.xml", *FLAGS)
    assert done.exit_code == 0, done.stderr
    counts = [path.read_text().count("<url>") for path in (folder / "out").glob("sitemap-*.xml")]
    assert (sum(counts), max(counts) <= 50_000, len(counts) > 1) == (50_001, True, True)


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (("none.xml", *FLAGS), 3, "none.xml, which `sitemaps` names, does not exist"),
        (("a.xml",), 2, "base_url: it is missing"),
        (("list.xml", *FLAGS), 3, "list.xml lists 1 sitemap that cannot be read"),
        (("https://b.dev/a.xml", "--index", *FLAGS), 2, "is not below https://example.org/"),
    ],
)
def test_what_cannot_be_merged_is_said(
    folder: Path, invoke: Invoke, arguments: tuple[str, ...], code: int, problem: str
) -> None:
    (folder / "list.xml").write_text(index(f"{BASE}none.xml"))
    done = invoke("merge", *arguments)
    assert (done.exit_code, problem in done.stderr) == (code, True), done.stderr


def test_the_output_folder_need_not_exist(folder: Path, invoke: Invoke) -> None:
    (folder / "a.xml").write_text(urlset("a"))
    assert invoke("merge", "a.xml", "--base-url", BASE, "--output", "new/out").exit_code == 0
    assert f"<loc>{BASE}a</loc>" in (folder / "new/out/sitemap.xml").read_text()
