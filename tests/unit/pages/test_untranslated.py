"""Whether a version of a page in another language has the text of the other."""

import pytest

from waypost.build.version_choice import are_alike, frame, is_written_in, language, sample, texts

TEXT = (
    "<p>Install the program, and then run it in the folder of your site, as the next page says in detail.</p>"
    "<p>It writes one file, which search engines read."
)
GERMAN = (
    "<p>Installiere das Programm, und starte es dann im Ordner der Website, wie die nächste Seite sagt.</p>"
    "<p>Es schreibt eine Datei, die Suchmaschinen lesen."
)
CODE = f"<pre><span>{'make install # and then wait for it' * 50}</span></pre>"


def page(main: str = TEXT, *, heading: str = "Start", menu: str = "Next page", lang: str = "en") -> bytes:
    text = f"<nav>{menu}</nav><main><h1>{heading}</h1>{main}</main><footer>{menu}</footer>"
    return f"<!doctype html><html lang={lang}><title>{heading}</title><body>{text}".encode()


def is_untranslated(translated: bytes, original: bytes = page()) -> bool:
    return are_alike(texts(translated), texts(original))


def test_a_page_with_the_same_text_is_not_translated_whatever_its_menus_and_its_heading_say() -> None:
    assert is_untranslated(page(menu="Nächste Seite", heading="Anfang", lang="de"))


def test_a_short_notice_that_the_page_is_not_translated_changes_nothing() -> None:
    assert is_untranslated(page(f"<p>Noch englisch{TEXT}"))


@pytest.mark.parametrize(
    ("translated", "original"),
    [
        (page(GERMAN), page()),
        (page(GERMAN + CODE), page(TEXT + CODE)),
        (page(TEXT + GERMAN), page()),
        (page(f"<script>{TEXT}</script>{GERMAN}"), page(f"<script>{TEXT}</script>{TEXT}")),
        (b"", b""),
    ],
)
def test_a_page_with_another_text_or_hardly_any_is_not_untranslated(translated: bytes, original: bytes) -> None:
    assert not is_untranslated(translated, original)


def test_what_most_pages_share_is_the_frame() -> None:
    pages = [texts(page(f"<p>A text of its own, of the page {n}, and nothing else.")) | texts(page()) for n in range(6)]
    assert frame(pages) == texts(page())
    assert frame(pages[:4]) == frozenset()


@pytest.mark.parametrize(
    ("text", "code", "expected"),
    [
        ("\u6559\u7a0b\u8bf4\u660e\u6587\u6863\u8bf4\u660e Waypost", "zh-Hans", True),
        ("\u041d\u0430\u0447\u0430\u043b\u043e \u0440\u0430\u0431\u043e\u0442\u044b", "ru", True),
        ("Waypost writes sitemaps", "zh", False),
        ("", "ja", False),
    ],
)
def test_a_page_is_written_in_a_language_that_has_letters_of_its_own(text: str, code: str, expected: bool) -> None:
    assert is_written_in(frozenset({text.encode()}), code) is expected


@pytest.mark.parametrize(("text", "expected"), [(b"<html lang=' pt-BR '>", "pt-BR"), (b"", "")])
def test_the_language_of_a_page_is_its_attribute(text: bytes, expected: str) -> None:
    assert language(text) == expected


def test_a_sample_is_spread_over_all_keys() -> None:
    assert sample(list("abcdefgh"), 4) == ["a", "c", "e", "g"]
    assert sample(["a"], 4) == ["a"]
