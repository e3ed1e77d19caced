import pytest
from unit.sample_sites import site

from waypost.core import reasons
from waypost.pages import selection
from waypost.pages.selection import KeyCheck, KeyRule
from waypost.settings.schema import Site


@pytest.mark.parametrize(
    ("rule", "name", "expected"),
    [
        (selection.hidden, ".git", reasons.HIDDEN),
        (selection.hidden, "a.git", None),
        (selection.dependency, "node_modules", reasons.DEPENDENCY),
        (selection.dependency, "my_node_modules", None),
        (selection.unpublished, "_draft.html", None),
    ],
)
def test_a_name_is_left_out_by_what_it_is(rule: KeyRule, name: str, expected: object) -> None:
    assert rule(site())(name) is expected


def test_an_underscore_keeps_out_names_only_where_markdown_files_are_pages() -> None:
    check = selection.unpublished(site(pages=["markdown"]))
    assert check("_draft.md") is reasons.UNPUBLISHED
    assert check("my_draft.md") is None


@pytest.mark.parametrize(
    ("key", "is_error_page"), [("404.html", True), ("+not-found.html", True), ("506.html", False), ("404", False)]
)
def test_error_pages_are_known_where_servers_look_for_them(key: str, is_error_page: bool) -> None:
    assert selection.error_page(site())(key) is (reasons.ERROR_PAGE if is_error_page else None)


@pytest.mark.parametrize(
    ("key", "is_shell"),
    [
        ("200.html", True),
        ("fr/200.html", True),
        ("rooms/200.html", False),
        ("app/__spa-fallback.html", True),
        ("index.csr.html", True),
        ("a/b/offline-plugin-app-shell-fallback/index.html", True),
        ("my_shell.html", False),
        ("blog/[slug].html", True),
        ("docs/[[...path]]/index.html", True),
        ("[user].html", True),
        ("notes [1].html", False),
        ("[a]b.html", False),
    ],
)
def test_the_shells_of_applications_are_known_by_the_names_that_generators_give_them(key: str, is_shell: bool) -> None:
    assert selection.app_shell(site())(key) is (reasons.APP_SHELL if is_shell else None)


@pytest.mark.parametrize(
    ("the_site", "key", "is_output"),
    [
        (site(), "sitemap-index-0123456789abcdef.xml.gz", True),
        (site(), "sitemap.html", False),
        (site(formats=["xml", "html"]), "sitemap.html", True),
        (site(robots_sitemaps=True), "robots.txt", True),
        (site(robots_sitemaps=True), "docs/robots.txt", False),
    ],
)
def test_outputs_are_the_files_that_the_settings_write(the_site: Site, key: str, is_output: bool) -> None:
    assert selection.output(the_site)(key) is (reasons.OUTPUT if is_output else None)


def test_the_first_reason_counts_and_later_checks_are_not_asked() -> None:
    asked: list[str] = []

    def silent(key: str) -> None:
        asked.append(key)

    checks: list[KeyCheck] = [silent, lambda key: reasons.HIDDEN, silent]
    assert selection.first_reason(checks, "a") is reasons.HIDDEN
    assert asked == ["a"]
    assert selection.first_reason([silent], "b") is None
