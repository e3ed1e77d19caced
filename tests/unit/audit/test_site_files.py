import pytest
from unit.sample_sites import site

from waypost.audit.site_files import FilePlace, SiteFiles

KEYS = ("index.html", "a.html", "docs/index.html", "docs/About.html", "img/x.png", "both.html", "both/index.html")


def files(*unknown: str) -> SiteFiles:
    return SiteFiles(KEYS, unknown, site(), lambda path: path == "moved")


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
        ("img/", "folder-without-index"),
        ("img", "folder-without-index"),
        ("moved", "server-rules"),
        ("sitemap.xml", "server-rules"),
        ("cdn-cgi/l/email-protection", "server-rules"),
        ("_vercel/speed-insights/script.js", "server-rules"),
        ("__/firebase/init.js", "server-rules"),
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
