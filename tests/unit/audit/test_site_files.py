from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from unit.sample_sites import site

from waypost.audit.site_files import FilePlace, SiteFiles
from waypost.settings.host_rules import HostRules, OneHost
from waypost.settings.hosts import HOSTS

if TYPE_CHECKING:
    from collections.abc import Sequence

KEYS = ("index.html", "a.html", "docs/index.html", "docs/About.html", "img/x.png", "both.html", "both/index.html")


def files(*unknown: str, **settings: Any) -> SiteFiles:
    return SiteFiles(KEYS, unknown, site(**settings), lambda path: path == "moved")


def on_host(name: str, *, is_certain: bool = True, keys: Sequence[str] = KEYS) -> SiteFiles:
    row = HOSTS[name]
    rules = HostRules([OneHost(name, row.shapes, lists_folders=row.lists_folders)], is_certain=is_certain)
    return SiteFiles(keys, (), replace(site(), host_rules=rules), lambda path: path == "moved")


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("", "index.html"),
        ("index.html", "index.html"),
        ("index", "index.html"),
        ("docs/index", "docs/index.html"),
        ("a.html", "a.html"),
        ("a", "a.html"),
        ("a/", "a.html"),
        ("docs", "docs/index.html"),
        ("docs/", "docs/index.html"),
        ("both", "both.html"),
        ("both/", "both/index.html"),
        ("img/x.png", "img/x.png"),
    ],
)
def test_a_file_is_found_at_every_path_at_which_servers_answer_it(path: str, key: str) -> None:
    assert files().at(path) == FilePlace(key)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("moved", "server-rules"),
        ("sitemap.xml", "written-later"),
        ("v1.0/a.html", "other-version"),
        ("pt-br/a.html", "other-language"),
        ("cdn-cgi/l/email-protection", "of-host"),
        ("_vercel/speed-insights/script.js", "of-host"),
        ("__/firebase/init.js", "of-host"),
        ("hidden/x.html", "left-out-folder"),
        ("link", "left-out-folder"),
    ],
)
def test_what_cannot_be_known_is_not_missing(path: str, reason: str) -> None:
    place = files("hidden/", "link").at(path)
    assert (place.not_checked, place.is_missing) == (reason, False)


def test_a_path_without_a_file_is_missing() -> None:
    assert files().at("docs/none.html") == FilePlace()
    assert files().at("docs/none.html").is_missing


@pytest.mark.parametrize("path", ["docs/about.html", "DOCS/About.html", "docs/about", "Docs/About.html"])
def test_a_file_in_other_capital_letters_is_named(path: str) -> None:
    place = files().at(path)
    assert (place.is_missing, place.other_case, place.section) == (True, "docs/About.html", "")


def test_a_folder_that_does_not_exist_is_a_section() -> None:
    assert files().at("blog/post.html").section == "blog"


def test_the_page_that_is_listed_at_a_path_comes_first() -> None:
    listed = SiteFiles(KEYS, (), site(), lambda path: False, {"both": "both/index.html"})
    assert listed.at("both") == FilePlace("both/index.html")


def test_a_very_deep_path_is_looked_for_only_as_deep_as_folders_of_unknown_content_are() -> None:
    found = files("hidden", "a/hidden/b")
    assert found.at("a/" * 100_000).section == "a"
    assert found.at("hidden/" + "a/" * 100_000).not_checked == "left-out-folder"
    assert found.at("a/hidden/b/c/d").not_checked == "left-out-folder"


@pytest.mark.parametrize(
    ("host", "forms"),
    [
        ("github-pages", {"a": True, "a/": False, "a.html": True, "img/": False, "docs": True}),
        ("azure-static-web-apps", {"a": True, "a/": False, "img": False}),
        ("netlify", {"a": True, "a/": True, "img/": False}),
        ("vercel", {"a": False, "a/": False, "a.html": True, "docs": True, "docs/": True}),
        ("firebase", {"a": False, "a/": False}),
        ("s3-website", {"a": False, "a/": False, "img/": False}),
        ("read-the-docs", {"a": False, "a/": False}),
        ("nginx", {"a": True, "a/": False, "img/": False}),
        ("render", {"a": True, "a/": True, "img/": False}),
    ],
)
def test_what_a_known_host_answers_with_404_is_missing_and_named(host: str, forms: dict[str, bool]) -> None:
    places = {path: on_host(host).at(path) for path in forms}
    assert {path: not place.is_missing for path, place in places.items()} == forms
    named = {path.rstrip("/"): place.unserved for path, place in places.items() if place.is_missing}
    assert named == {path: {"a": "a.html", "img": "img/"}[path] for path in named}


@pytest.mark.parametrize("host", ["apache", "plain"])
def test_a_host_that_may_list_a_folder_s_files_leaves_it_unchecked(host: str) -> None:
    assert on_host(host).at("img/").not_checked == "folder-without-index"


def test_a_host_that_only_files_show_makes_what_is_missing_likely() -> None:
    likely = on_host("github-pages", is_certain=False)
    assert likely.at("a/") == FilePlace("a.html", unserved="a.html", is_likely=True)
    assert likely.at("img/") == FilePlace(unserved="img/", is_likely=True)
    assert files().at("img/") == FilePlace(unserved="img/", is_likely=True)
    assert not likely.at("img/").is_missing


@pytest.mark.parametrize("path", ["a.html/", "img/x.png/", "a.html/more"])
def test_a_file_is_no_folder(path: str) -> None:
    place = files().at(path)
    assert place.is_missing
    assert (place.other_case, place.section) == ("", "")


def test_only_pages_with_html_are_answered_without_their_ending() -> None:
    assert on_host("github-pages", keys=["old.htm"]).at("old") == FilePlace(unserved="old.htm")
    unknown = SiteFiles(["old.htm"], (), site(), lambda path: False)
    assert unknown.at("old") == FilePlace("old.htm", unserved="old.htm", is_likely=True)


@pytest.mark.parametrize(
    ("path", "base_url", "near", "section"),
    [
        ("dosc/About.html", "https://example.org/", "docs/About.html", ""),
        ("dosc/none.html", "https://example.org/", "", "dosc"),
        ("blog/About.html", "https://example.org/", "", "blog"),
        ("blog/About.html", "https://example.org/project/", "", ""),
    ],
    ids=["a near name with the target", "a near name without it", "another name", "below a project's path"],
)
def test_a_folder_that_is_not_there_is_another_site_s_unless_it_is_misspelt(
    path: str, base_url: str, near: str, section: str
) -> None:
    place = files(base_url=base_url).at(path)
    assert (place.is_missing, place.near, place.section) == (True, near, section)


def test_what_others_publish_on_the_host_is_not_checked() -> None:
    assert files(outside=["/api/"]).at("api/x.html").not_checked == "outside"
    project = files(outside=["/project/api/"], base_url="https://example.org/project/")
    assert project.at("api/x").not_checked == "outside"
    assert files(outside=["/api/"]).at("docs/none.html").is_missing


def test_many_folders_that_do_not_exist_are_compared_with_few_names() -> None:
    """Each comparison takes time, and links and folders are as many as a hostile site likes."""
    folders = [f"folder-{n:04}/index.html" for n in range(5_000)]
    site_files = SiteFiles(folders, (), site(), lambda path: False)
    found = [site_files.at(f"foldre-{n:04}/index.html") for n in range(2_000)]
    assert (found[0].near, found[-1].near) == ("folder-0000/index.html", "")
