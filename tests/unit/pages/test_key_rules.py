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
    ("key", "is_error_page"),
    [
        ("404.html", True),
        ("deep/down/404.htm", True),
        ("404/index.html", True),
        ("+not-found.html", True),
        ("500.html", True),
        ("50x.html", True),
        ("de/500.html", True),
        ("pt-BR/500.html", True),
        ("errors/403.html", True),
        ("Error.HTML", True),
        ("error.html", True),
        ("docs/500.html", False),
        ("docs/error.html", False),
        ("402.html", False),
        ("506.html", False),
        ("my404.html", False),
        ("404", False),
        ("errors.html", False),
    ],
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
        (site(), "sitemap.xml", True),
        (site(), "sitemap-index-0123456789abcdef.xml.gz", True),
        (site(), "sitemap-blog.xml", False),
        (site(groups={"blog": ["/blog/"]}), "sitemap-blog.xml", True),
        (site(), "sitemap.html", False),
        (site(formats=["xml", "html"]), "sitemap.html", True),
        (site(), "docs/sitemap.xml", False),
        (site(name="map"), "sitemap.xml", False),
        (site(), "robots.txt", False),
        (site(robots_sitemaps=True), "robots.txt", True),
        (site(robots_sitemaps=True), "docs/robots.txt", False),
    ],
)
def test_outputs_are_the_files_that_the_settings_write(the_site: Site, key: str, is_output: bool) -> None:
    assert selection.output(the_site)(key) is (reasons.OUTPUT if is_output else None)


def test_a_file_is_a_page_by_its_ending_in_any_case_but_robots_txt_never() -> None:
    check = selection.file_type(site(pages=[".txt"]))
    assert [check(key) for key in ("a.TXT", "robots.txt", "a.html")] == [None, reasons.NOT_A_PAGE, reasons.NOT_A_PAGE]


@pytest.mark.parametrize(
    ("include", "key", "is_included"),
    [([], "a.html", True), (["/docs/"], "a.html", False), (["/docs/", "!/docs/x/"], "docs/x/a.html", False)],
)
def test_include_leaves_out_what_it_does_not_match(include: list[str], key: str, is_included: bool) -> None:
    assert selection.not_included(site(include=include))(key) is (None if is_included else reasons.NOT_INCLUDED)


def test_the_first_reason_counts_and_later_checks_are_not_asked() -> None:
    asked: list[str] = []

    def silent(key: str) -> None:
        asked.append(key)

    checks: list[KeyCheck] = [silent, lambda key: reasons.HIDDEN, silent]
    assert selection.first_reason(checks, "a") is reasons.HIDDEN
    assert asked == ["a"]
    assert selection.first_reason([silent], "b") is None
