from waypost.core.model import Page
from waypost.report.languages import language_matrix, languages_of

A, B = "https://example.org/a", "https://example.org/b"


def page(loc: str, **alternates: str) -> Page:
    return Page("k", loc, alternates=tuple((code.replace("_", "-"), href) for code, href in sorted(alternates.items())))


def test_a_page_has_the_language_under_which_it_names_itself() -> None:
    assert languages_of(page(A, en=A, de=B, x_default=A)) == ("en", "de")
    assert languages_of(page(A, de=B)) == ()
    assert languages_of(page(A)) == ()


def test_the_matrix_counts_pages_with_and_without_counterparts() -> None:
    pages = [page(A, en=A, de=B), page(B, en=A, de=B), page(A, en=A, fr=B), page(A, en=A), page(B)]
    matrix = language_matrix(pages)
    assert matrix is not None
    assert (matrix.languages, dict(matrix.pages)) == (["en", "de", "fr"], {"en": 3, "de": 1})
    assert [matrix.missing("en", other) for other in ("de", "fr")] == [2, 2]
    assert matrix.missing("de", "en") == 0


def test_a_site_in_one_language_has_no_matrix() -> None:
    assert language_matrix([page(A, en=A)]) is None
