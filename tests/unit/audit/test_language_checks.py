from __future__ import annotations

from typing import TYPE_CHECKING

from audits import cases, linked, page

if TYPE_CHECKING:
    from audits import Audit


def named(**hrefs: str) -> str:
    head = "".join(
        f'<link rel="alternate" hreflang="{code.replace("_", "-")}" href="{href}">' for code, href in hrefs.items()
    )
    return page(str(hrefs), head=head)


def test_versions_that_name_each_other_and_themselves_are_right(audit: Audit) -> None:
    both = {"en": "/en.html", "de": "/de.html", "x_default": "/"}
    assert cases(audit(linked(en=named(**both), de=page("de", head=named(**both))))) == {}


def test_a_version_that_does_not_exist_is_an_error_and_nothing_else(audit: Audit) -> None:
    result = audit(linked(en=named(en="/en.html", de="/none.html", x_default="/also-none.html")))
    assert cases(result) == {"alternate-missing": [("also-none.html", ("en.html",)), ("none.html", ("en.html",))]}


def test_a_version_that_is_not_listed_or_does_not_return_the_link_is_found(audit: Audit) -> None:
    hidden = page(head='<meta name="robots" content="noindex">')
    result = audit(linked(en=named(en="/en.html", de="/de.html", fr="/fr.html"), de=page("de"), fr=hidden))
    assert cases(result) == {
        "alternate-unlisted": [("fr.html", ("en.html",))],
        "alternate-unreturned": [("de.html", ("en.html",))],
    }


def test_mistakes_in_the_links_of_one_page_are_found(audit: Audit) -> None:
    head = '<link rel=alternate hreflang=de href="/de.html"><link rel=alternate hreflang=de href="/">'
    files = linked(en=page("en", head=head), de=named(de="/de.html", en="/en.html", english="/en.html"))
    assert cases(audit(files)) == {
        "alternates-contradict": [("", ("en.html",))],
        "alternates-without-self": [("", ("en.html",))],
        "hreflang-code": [("", ("de.html",))],
    }


def test_pages_that_say_another_language_than_their_folder_are_one_case_for_each_language(audit: Audit) -> None:
    def spoken(language: str, text: str) -> str:
        return page(text).replace("<html>", f'<html lang="{language}">')

    files = {f"{name}.html": spoken("en", name) for name in "abc"}
    files |= {f"de/{name}.html": spoken("en" if name == "a" else "de-AT", f"d{name}") for name in "abc"}
    found = cases(audit(files), "language-folder")
    assert found == {"language-folder": [("de/", ("de/a.html",))]}
