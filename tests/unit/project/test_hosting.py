"""Where the files with the rules of a host are looked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waypost.project.hosting import read_hosting

if TYPE_CHECKING:
    from sites import Write

BASE = "https://www.a.dev/"


def test_files_of_the_project_are_found_above_the_site_up_to_the_root_and_no_further(write: Write) -> None:
    folder = write({"netlify.toml": "", "a/docs/public/index.html": ""})
    site = folder / "a" / "docs" / "public"
    assert read_hosting(site, folder).host("auto", BASE).rules.host == "netlify"
    assert read_hosting(site, folder / "a").host("auto", BASE).rules.host == ""


def test_of_files_with_one_name_the_nearest_counts(write: Write) -> None:
    folder = write({"vercel.json": "{}", "a/vercel.json": '{"cleanUrls": true}', "a/public/index.html": ""})
    assert read_hosting(folder / "a" / "public", folder).host("auto", BASE).rules.shapes.page == ("slash", "bare")


def test_rules_of_the_published_folder_count_only_there(write: Write) -> None:
    folder = write({"_redirects": "/a /b 301!", "public/index.html": ""})
    assert read_hosting(folder / "public", folder).host("auto", BASE).rules.host == ""
    assert read_hosting(folder, folder).host("auto", BASE).rules.host == "netlify"


def test_a_workflow_that_deploys_to_github_pages_shows_the_host(write: Write) -> None:
    folder = write({".git/HEAD": "", ".github/workflows/a.yml": "steps:\n  - uses: actions/deploy-pages@v4\n"})
    assert read_hosting(folder, folder).host("auto", BASE).rules.host == "github-pages"
