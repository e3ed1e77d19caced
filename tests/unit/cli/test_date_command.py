"""`waypost date` on the command line; `tests/integration/test_date_command.py` has its results."""

from __future__ import annotations

from pathlib import Path

import pytest
from unit.cli.invoke import BASE, Invoke, urlset


def test_the_base_url_of_a_site_that_names_none_is_that_of_the_sitemap_s_urls(tmp_path: Path, invoke: Invoke) -> None:
    (tmp_path / "a.html").write_text("<title>A</title><p>Text")
    (tmp_path / "sitemap.xml").write_text(urlset("a.html", "b", lastmod="2026-02-01").replace(BASE, "https://a.dev/x/"))
    done = invoke("date", str(tmp_path / "sitemap.xml"), "--check")
    assert done.exit_code == 0, done.stderr
    assert "2 URLs, 1 of them found on the site, 1 of these without a known date: 0 wrong dates, 0 mis" in done.stderr
    assert "warning: when the pages changed is not known: is the site in a Git repository, with its wh" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("none.xml",), "none.xml does not exist; name a file, s3://bucket/key, an http(s) URL, or -"),
        (("a.xml", "b.xml"), "--in-place: it is missing, and there are 2 files"),
        (("a.xml", "--base-url", "x"), "--base-url: 'x' is not an absolute http or https URL"),
        (("a.xml",), "base_url: it is missing"),
        (("a.xml", "--in-place", "--output", "b.xml"), "--output: it goes with neither --in-place nor --check"),
    ],
)
def test_what_is_wrong_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, invoke: Invoke, arguments: tuple[str, ...], problem: str
) -> None:
    for name in ("a.xml", "b.xml"):
        (tmp_path / name).write_text(urlset("a"))
    (tmp_path / "page.html").write_text("<title>A</title><p>Text")
    monkeypatch.chdir(tmp_path)
    done = invoke("date", *arguments)
    assert done.exit_code in (2, 3)
    assert problem in done.stderr
