"""The base URL of a site that no setting names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from waypost.project.base_url import find_base_urls
from waypost.project.source_kind import recognize
from waypost.settings.output_names import MARK

if TYPE_CHECKING:
    from sites import Files, Write


def base_urls(write: Write, files: Files, repository: str = "") -> list[str]:
    """The base URLs that a folder names, which is a project of its own."""
    folder = write(files)
    return [each.base_url for each in find_base_urls(folder, recognize(folder), folder, repository)]


def page(canonical: str) -> str:
    return f"<!doctype html><html><title>A</title><link rel=canonical href='{canonical}'>"


HUGO = {"hugo.toml": 'baseURL = "https://a.dev/"\n'}
DEPLOYS = {
    ".git/HEAD": "",
    ".github/workflows/a.yml": "jobs:\n  a:\n    steps:\n      - uses: actions/deploy-pages@v4\n",
}


@pytest.mark.parametrize(
    ("files", "repository", "expected"),
    [
        ({"CNAME": "a.dev\n"}, "", ["https://a.dev/"]),
        ({"CNAME": "a.dev", **DEPLOYS}, "", []),
        ({"CNAME": "a.dev", "index.html": page("https://a.dev/")}, "o/r", ["https://a.dev/"]),
        ({"CNAME": "b.dev", "index.html": page("https://a.dev/")}, "", ["https://a.dev/", "https://b.dev/"]),
        ({"CNAME": "a.dev", "index.html": page("http://a.dev/")}, "", ["https://a.dev/"]),
        ({"static/index.html": page("https://example.org/static/"), **HUGO}, "", ["https://a.dev/"]),
        ({"index.html": page("http://localhost:4000/")}, "Owner/Repo", ["https://owner.github.io/Repo/"]),
        ({"index.html": page("https://your-docusaurus-site.example.com/")}, "o/o.github.io", ["https://o.github.io/"]),
        ({"index.html": page("https://github.com/o/r/")}, "", []),
        ({"index.html": page("https://o.github.io/")}, "o/r", ["https://o.github.io/", "https://o.github.io/r/"]),
        ({"index.html": page("https://o.github.io/r/")}, "o/r", ["https://o.github.io/r/"]),
        ({"index.html": "<!doctype html><html><title>A</title>"}, "", []),
    ],
    ids=[
        "CNAME",
        "CNAME where a workflow deploys",
        "a domain of its own goes before the repository's name",
        "two that disagree",
        "http and https agree",
        "a sample URL counts for nothing",
        "so does this machine",
        "and a sample host",
        "and a forge",
        "another place on the owner's host disagrees with the repository's name",
        "the same place agrees",
        "nothing",
    ],
)
def test_all_that_names_a_base_url_must_agree(write: Write, files: Files, repository: str, expected: list[str]) -> None:
    assert base_urls(write, files, repository) == expected


def test_the_evidence_names_the_file_and_the_key(write: Write) -> None:
    folder = write(HUGO | {"CNAME": "b.dev"})
    found = find_base_urls(folder, recognize(folder), folder, "")
    assert [each.evidence for each in found] == ["CNAME", "`baseURL` in hugo.toml"]


def last_build(loc: str) -> Files:
    """A site of one page, with the sitemap of an earlier build."""
    sitemap = f"{MARK}<urlset><url><loc>{loc}</loc></url></urlset>"
    return {"index.html": "<!doctype html><html><title>A</title>", "sitemap.xml": sitemap}


@pytest.mark.parametrize(
    ("last", "more", "repository", "expected"),
    [
        ("https://a.dev/", {}, "", ["https://a.dev/"]),
        ("https://a.dev/", {}, "o/r", ["https://a.dev/"]),
        ("https://a.dev/", {"CNAME": "b.dev"}, "", ["https://b.dev/"]),
        ("https://o.github.io/r/", {}, "o/r", ["https://o.github.io/r/"]),
        ("https://o.github.io/r/", {}, "fork/r", ["https://o.github.io/r/", "https://fork.github.io/r/"]),
        ("https://o.github.io/r/", {}, "o/renamed", ["https://o.github.io/r/", "https://o.github.io/renamed/"]),
    ],
    ids=["alone", "a domain", "a new domain", "the same", "a fork", "a rename"],
)
def test_the_sitemap_of_an_earlier_build_counts_where_nothing_else_names_a_base_url(
    write: Write, last: str, more: Files, repository: str, expected: list[str]
) -> None:
    assert base_urls(write, {**last_build(last), **more}, repository) == expected
