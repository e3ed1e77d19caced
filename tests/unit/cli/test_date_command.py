"""`waypost date` on the command line; `tests/integration/test_date_command.py` has its results."""

from __future__ import annotations

from pathlib import Path

from unit.cli.invoke import BASE, Invoke, urlset


def test_the_base_url_of_a_site_that_names_none_is_that_of_the_sitemap_s_urls(tmp_path: Path, invoke: Invoke) -> None:
    (tmp_path / "a.html").write_text("<title>A</title><p>Text")
    (tmp_path / "sitemap.xml").write_text(urlset("a.html", "b", lastmod="2026-02-01").replace(BASE, "https://a.dev/x/"))
    done = invoke("date", str(tmp_path / "sitemap.xml"), "--check")
    assert done.exit_code == 0, done.stderr
    assert "2 URLs, 1 of them found on the site, 1 of these without a known date: 0 wrong dates, 0 mis" in done.stderr
    assert "warning: when the pages changed is not known: is the site in a Git repository, with its wh" in done.stderr
