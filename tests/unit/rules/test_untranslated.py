"""Whether a version of a page in another language has the text of the other."""

import pytest

from waypost.rules.untranslated import is_untranslated, language

TEXT = (
    "<p>Install the program, and then run it in the folder of your site, as the next page says in detail.</p><p>More."
)
GERMAN = (
    "<p>Installiere das Programm, und starte es dann im Ordner der Website, wie die nächste Seite im Einzelnen sagt."
)


def page(main: str = TEXT, *, heading: str = "Start", menu: str = "Next page", lang: str = "en") -> bytes:
    text = f"<nav>{menu}</nav><main><h1>{heading}</h1>{main}</main><footer>{menu}</footer>"
    return f"<!doctype html><html lang={lang}><title>{heading}</title><body>{text}".encode()


def test_a_page_with_the_same_main_text_is_not_translated_whatever_its_menus_say() -> None:
    assert is_untranslated(page(menu="Nächste Seite", lang="de"), page())


def test_a_notice_that_the_page_is_not_translated_changes_nothing() -> None:
    assert is_untranslated(page(f"<p>Noch nicht übersetzt.</p>{TEXT}"), page())


@pytest.mark.parametrize(
    ("translated", "original"),
    [
        (page(GERMAN), page()),
        (page(GERMAN, heading="Anfang"), page()),
        (page(heading="Anfang"), page()),
        (page(f"{GERMAN}<pre>{'make install ' * 50}</pre>"), page(f"{TEXT}<pre>{'make install ' * 50}</pre>")),
        (page("<p>Waypost 1.0"), page("<p>Waypost 1.0")),
        (page(TEXT + GERMAN), page()),
        (b"", b""),
    ],
)
def test_a_page_with_another_text_or_hardly_any_is_not_compared_as_untranslated(
    translated: bytes, original: bytes
) -> None:
    assert not is_untranslated(translated, original)


def test_pages_without_a_heading_or_a_main_element_are_compared_by_their_bodies() -> None:
    assert is_untranslated(TEXT.encode(), f"<nav>menu</nav>{TEXT}".encode())


@pytest.mark.parametrize(("text", "expected"), [(b"<html lang=' pt-BR '>", "pt-BR"), (b"<p>", ""), (b"", "")])
def test_the_language_of_a_page_is_its_attribute(text: bytes, expected: str) -> None:
    assert language(text) == expected
