"""The pages that a generator's own sitemaps leave out."""

from __future__ import annotations

import pytest
from unit.cli.invoke import urlset
from unit.sample_sites import RecordingStore, pages

from waypost.build import generator_choice
from waypost.build.generator_choice import GeneratorChoice, choice_of

KEPT = "choice.json"
HIDDEN = GeneratorChoice(left_out=("example.org/c",))


@pytest.mark.parametrize(
    ("listed", "left_out"),
    [
        (("a.html", "b.html"), 1),
        (("a", "b/"), 1),
        (("a.html", "b.html", "c.html"), 0),
        (("a.html",), 0),
        ((), 0),
    ],
    ids=["one is missing", "in another form", "none is", "most are, so it is of something else", "nothing is listed"],
)
def test_a_page_that_the_sitemap_does_not_list_in_any_form_is_left_out(listed: tuple[str, ...], left_out: int) -> None:
    found = choice_of(pages(["a.html", "b.html", "c.html"]), {"sitemap.xml": urlset(*listed).encode()})
    assert len(found.left_out) == left_out


def test_a_choice_is_kept_once_and_read_back() -> None:
    store = RecordingStore()
    generator_choice.keep(HIDDEN, store, KEPT)
    generator_choice.keep(HIDDEN, store, KEPT)
    assert generator_choice.read(store, KEPT) == HIDDEN
    generator_choice.keep(GeneratorChoice(), store, KEPT)
    assert generator_choice.read(store, KEPT) == GeneratorChoice()


@pytest.mark.parametrize("content", [b"", b"{", b'{"format":"waypost-generator-choice","version":2,"left_out":["a"]}'])
def test_what_cannot_be_read_is_no_choice(content: bytes) -> None:
    assert generator_choice.read(RecordingStore({KEPT: content}), KEPT) == GeneratorChoice()
