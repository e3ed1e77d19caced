"""What `waypost build` lists on each host, from the host's own files, without any setting but the base URL."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from source_folders import PAGE

if TYPE_CHECKING:
    from sites import Command, Files, Write

BASE = "https://www.waypost.dev/"
PAGES = {"index.html": PAGE, "about.html": f"{PAGE}1", "docs/index.html": f"{PAGE}2"}
CLEAN = '{"cleanUrls": true, "trailingSlash": false}'


def built(write: Write, waypost: Command, files: Files, source: str = "site/public") -> Any:
    """The answer of a build of the folder `public` of a project."""
    write(files)
    arguments = ("--base-url", BASE, "--set", "lastmod=none", "--dry-run", "--json")
    return json.loads(waypost("build", source, *arguments).stdout)


def in_public(files: Files) -> Files:
    return {f"public/{name}": text for name, text in files.items()}


@pytest.mark.parametrize(
    ("files", "listed"),
    [
        ({"vercel.json": CLEAN}, ["", "about", "docs"]),
        ({"firebase.json": f'{{"hosting": {CLEAN}}}'}, ["", "about", "docs"]),
        ({"wrangler.jsonc": '{"assets": {"html_handling": "drop-trailing-slash"}} // x'}, ["", "about", "docs"]),
        ({"public/staticwebapp.config.json": '{"trailingSlash": "never"}'}, ["", "about", "docs"]),
        ({"wrangler.toml": 'pages_build_output_dir = "public"'}, ["", "about", "docs/"]),
        ({"netlify.toml": ""}, ["", "about.html", "docs/"]),
        ({"public/CNAME": "www.waypost.dev"}, ["", "about.html", "docs/"]),
        ({}, ["", "about.html", "docs/"]),
        ({"vercel.json": CLEAN, "netlify.toml": ""}, ["", "about.html", "docs/"]),
    ],
    ids=["Vercel", "Firebase", "Workers", "Azure", "Cloudflare Pages", "Netlify", "GitHub Pages", "none", "two"],
)
def test_the_forms_are_those_that_the_host_does_not_redirect(
    write: Write, waypost: Command, files: Files, listed: list[str]
) -> None:
    answer = built(write, waypost, {**in_public(PAGES), **files})
    assert sorted(page["loc"] for page in answer["pages"]) == [BASE + path for path in listed]
    codes = [each["code"] for each in answer["warnings"]]
    assert ("several-hosts" in codes) == (len(files) == 2)


RULES = {
    "index.html": PAGE,
    "old.html": f"{PAGE}1",
    "kept.html": f"{PAGE}2",
    "app/dash.html": f"{PAGE}3",
    "thanks/index.html": f"{PAGE}4",
    "_redirects": "/old.html /new 301!\n/kept.html /new 301\n/app/* /login 302! Role=admin\n",
    "_headers": "/thanks/*\n  X-Robots-Tag: noindex\n",
}


def test_pages_that_the_host_redirects_or_marks_noindex_are_left_out_and_others_are_listed(
    write: Write, waypost: Command
) -> None:
    answer = built(write, waypost, in_public(RULES))
    assert {each["key"]: each["reason"] for each in answer["excluded"] if each["key"].endswith(".html")} == {
        "old.html": "host-redirect",
        "thanks/index.html": "noindex",
    }
    assert sorted(page["key"] for page in answer["pages"]) == ["app/dash.html", "index.html", "kept.html"]


def test_what_github_pages_does_not_publish_is_left_out_with_a_warning(write: Write, waypost: Command) -> None:
    files = {"index.html": PAGE, "_modules/a.html": f"{PAGE}1", "CNAME": "www.waypost.dev"}
    answer = built(write, waypost, in_public(files))
    assert [page["key"] for page in answer["pages"]] == ["index.html"]
    assert "not-published" in [each["code"] for each in answer["warnings"]]
    answer = built(write, waypost, in_public({**files, ".nojekyll": ""}))
    assert len(answer["pages"]) == 2


def test_a_canonical_link_to_a_folder_that_the_host_redirects_is_listed_with_a_warning(
    write: Write, waypost: Command
) -> None:
    page = PAGE.replace("<title", f"<link rel=canonical href={BASE}about><title")
    files = {"index.html": PAGE, "about/index.html": page, "CNAME": "www.waypost.dev"}
    answer = built(write, waypost, in_public(files))
    assert [page["loc"] for page in answer["pages"] if "about" in page["loc"]] == [f"{BASE}about"]
    assert "canonical-redirected" in [each["code"] for each in answer["warnings"]]
