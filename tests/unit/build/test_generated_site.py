"""The sitemaps of a site where its generator has just built it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from waypost.build.generated_site import write_sitemaps

if TYPE_CHECKING:
    from pathlib import Path

    from repositories import Repository

FIRST, SECOND = 1_700_000_000, 1_710_000_000
TEXT = "<!doctype html><title>A</title><main><p>Words that no source has.</p></main>"


def built(project: Path, *names: str) -> Path:
    """A folder with built pages, of which nothing but the generator knows the sources."""
    for name in names:
        (project / "site" / name).parent.mkdir(parents=True, exist_ok=True)
        (project / "site" / name).write_text(f"{TEXT}<!-- {name} -->{name}")
    return project / "site"


def test_each_page_has_the_date_of_the_files_that_the_generator_names(repository: Repository) -> None:
    files = {".gitignore": "site/\n", "docs/a.md": "a", "docs/b.md": "b", "docs/part.md": "c"}
    repository.commit({**files}, when=FIRST)
    repository.commit({"docs/part.md": "d"}, when=SECOND)
    root = repository.folder
    output = built(root, "index.html", "b/index.html")
    sources = {"index.html": [root / "docs/a.md"], "b/index.html": [root / "docs/b.md", root / "docs/part.md"]}
    warnings: list[str] = []
    said = write_sitemaps(output, "https://a.dev/", "site_url", root, sources, warnings.append)
    assert (said, warnings) == ("2 URLs in sitemap.xml", [])
    text = (output / "sitemap.xml").read_text()
    assert "<loc>https://a.dev/</loc><lastmod>2023-11-14T22:13:20Z</lastmod>" in text
    assert "<loc>https://a.dev/b/</loc><lastmod>2024-03-09T16:00:00Z</lastmod>" in text


@pytest.mark.parametrize(
    "base_url", ["http://127.0.0.1:8000/", "http://localhost/", "http://[::1]:80/", "http://0.0.0.0/", ""]
)
def test_a_site_of_this_machine_or_without_a_url_gets_no_sitemap(tmp_path: Path, base_url: str) -> None:
    warnings: list[str] = []
    output = built(tmp_path, "index.html")
    assert write_sitemaps(output, base_url, "site_url", tmp_path, {}, warnings.append) == ""
    assert warnings == ([] if base_url else ["no sitemap was written: set site_url, as a sitemap has whole URLs"])
    assert not (output / "sitemap.xml").exists()


@pytest.mark.parametrize(
    ("site_url", "listed"),
    [
        ("https://a.dev/", "https://b.dev/project/"),
        ("https://b.dev/project", "https://b.dev/project/"),
        ("https://b.dev/projects/", "https://b.dev/project/"),
        ("https://b.dev/project/1.0/", "https://b.dev/project/1.0/"),
    ],
)
def test_the_settings_file_goes_before_the_generator_unless_this_makes_a_part_of_that_site(
    tmp_path: Path, site_url: str, listed: str
) -> None:
    (tmp_path / "waypost.toml").write_text('base_url = "https://b.dev/project/"\nlastmod = "none"\n')
    output = built(tmp_path, "index.html")
    write_sitemaps(output, site_url, "site_url", tmp_path, {}, lambda _: None)
    assert f"<loc>{listed}</loc>" in (output / "sitemap.xml").read_text()


@pytest.mark.parametrize("nearer", ["", 'base_url = "https://b.dev/"\nlastmod = "none"\n'])
def test_the_settings_of_the_repository_s_root_serve_where_the_generator_s_folder_has_none(
    repository: Repository, nearer: str
) -> None:
    project = repository.folder / "docs" / "source"
    repository.write({"waypost.toml": 'base_url = "https://a.dev/"\nlastmod = "none"\n', "docs/source/conf.py": ""})
    if nearer:
        repository.write({"docs/source/waypost.toml": nearer})
    output = built(project, "index.html")
    write_sitemaps(output, "", "html_baseurl", project, {}, lambda _: None)
    listed = "https://b.dev/" if nearer else "https://a.dev/"
    assert f"<loc>{listed}</loc>" in (output / "sitemap.xml").read_text()
