"""Which files a page is made of, by its evidence: every page and match is written down, and no file is read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import permutations
from typing import Any

import pytest

from waypost.dates.file_parts import Part
from waypost.dates.named_parts import NamedParts
from waypost.dates.page_parts import PageParts
from waypost.dates.page_sources import PageEvidence, PageSources, find_sources
from waypost.dates.text_matches import TextMatch, shingles


def match(path: str, held: float = 1.0, covered: float = 0.9, size: int = 100) -> TextMatch:
    """A file of so many shingles of which a page has this share, and the file this share of the page's own."""
    return TextMatch(path, round(held * size), held, covered)


def page(key: str, *matches: TextMatch, **values: Any) -> PageEvidence:
    return PageEvidence(key, tuple(sorted(matches, key=lambda each: (-each.common, -each.held, each.path))), **values)


def find(*pages: PageEvidence, languages: Collection[str] = ()) -> dict[str, PageSources]:
    return find_sources(pages, [], languages)


def files(*pages: PageEvidence, languages: Collection[str] = ()) -> dict[str, Sequence[str]]:
    return {key: found.files for key, found in find(*pages, languages=languages).items()}


# By text


def test_a_page_is_made_of_the_file_of_which_it_has_the_text() -> None:
    found = find(page("a.html", match("x/one.md"), match("x/two.md", 0.1, 0.05)))["a.html"]
    assert (found.files, found.evidence, found.reason) == (("x/one.md",), "text", None)
    assert found.strength == "100% of its text, 90% of the page's own"
    assert found.considered == ("x/two.md (10% of its text, 5% of the page's own)",)


@pytest.mark.parametrize(("held", "covered"), [(0.3, 0.9), (0.9, 0.3), (0.1, 0.1)])
def test_too_little_of_the_text_of_a_file_with_another_path_is_no_evidence(held: float, covered: float) -> None:
    assert find(page("a.html", match("x/one.md", held, covered)))["a.html"].files == ()


def test_a_file_with_another_path_needs_much_of_the_page() -> None:
    assert files(page("a.html", match("x/one.md", 0.9, 0.45))) == {"a.html": ("x/one.md",)}


def test_a_file_whose_path_the_page_has_needs_less_text() -> None:
    assert files(page("guide/a.html", match("docs/guide/a.md", 0.4, 0.1))) == {"guide/a.html": ("docs/guide/a.md",)}
    assert files(page("guide/a.html", match("docs/other/a.md", 0.6, 0.3))) == {"guide/a.html": ("docs/other/a.md",)}
    assert files(page("guide/a.html", match("docs/other/b.md", 0.6, 0.3))) == {"guide/a.html": ()}


def test_a_file_that_loads_the_data_of_a_page_is_no_source_alone_but_included() -> None:
    loader, component = match("routes/a/+page.js", 1, 0.5), match("routes/a/+page.svelte", 0.9, 0.5)
    assert files(page("a.html", loader)) == {"a.html": ()}
    assert files(page("a.html", loader, component)) == {"a.html": (component.path, loader.path)}


def test_a_page_without_any_match_has_no_evidence() -> None:
    assert find(page("a.html")) == {"a.html": PageSources(reason="no-evidence")}


def test_a_file_belongs_to_the_page_that_has_most_of_it() -> None:
    teaser = page("news.html", match("posts/a.md", 0.6, 0.65))
    assert files(page("a.html", match("posts/a.md", 1, 0.65)), teaser) == {"a.html": ("posts/a.md",), "news.html": ()}


def test_of_two_pages_with_the_same_text_the_one_with_the_file_s_path_is_made_of_it() -> None:
    one = page("guide/a/index.html", match("docs/guide/a.md", 1, 0.65))
    other = page("print/index.html", match("docs/guide/a.md", 1, 0.65))
    assert files(one, other) == {"guide/a/index.html": ("docs/guide/a.md",), "print/index.html": ()}


def test_a_page_that_is_a_copy_of_another_page_has_its_file() -> None:
    pages = (
        page("intro/index.html", match("src/intro.md", 1, 0.9)),
        page("index.html", match("src/intro.md", 0.95, 0.9)),
    )
    assert set(files(*pages).values()) == {("src/intro.md",)}
    teaser = page("index.html", match("src/intro.md", 0.6, 0.9))
    assert files(pages[0], teaser)["index.html"] == ()


def test_of_two_files_with_the_same_text_the_one_with_the_page_s_path_is_its_source() -> None:
    found = files(page("guide/a/index.html", match("docs/guide/a.md"), match("archive/copy.md")))
    assert found == {"guide/a/index.html": ("docs/guide/a.md",)}


@pytest.mark.parametrize("order", list(permutations(["x/one.md", "y/two.md", "z/three.md"])))
def test_of_files_with_the_same_text_and_no_other_evidence_none_is_the_source(order: Sequence[str]) -> None:
    assert find(PageEvidence("a.html", tuple(map(match, order))))["a.html"].reason == "ambiguous"


def test_a_link_decides_between_files_with_the_same_text() -> None:
    found = find(page("a.html", match("x/one.md"), match("y/two.md"), linked=("y/two.md",)))["a.html"]
    assert (found.files[0], found.evidence) == ("y/two.md", "text")


def test_a_file_to_which_a_page_links_for_editing_needs_less_text() -> None:
    part = match("docs/plugin-x.md", 0.3, 0.3)
    assert files(page("docs/our-plugin-x.html", part)) == {"docs/our-plugin-x.html": ()}
    assert files(page("docs/our-plugin-x.html", part, linked=(part.path,))) == {"docs/our-plugin-x.html": (part.path,)}
    for held, covered in ((0.2, 0.3), (0.3, 0.1)):
        little = match("docs/plugin-x.md", held, covered)
        assert files(page("docs/our-plugin-x.html", little, linked=(part.path,))) == {"docs/our-plugin-x.html": ()}


def test_of_files_with_the_same_text_the_one_in_the_project_is_the_source() -> None:
    the_page = page("guide.html", match("docs/guide.md"), match("other/guide.md"))
    assert find_sources([the_page], [], (), "docs/")["guide.html"].files == ("docs/guide.md",)
    assert find_sources([the_page], [], (), "site/")["guide.html"].files == ()


def test_a_small_part_of_a_page_in_data_is_no_evidence() -> None:
    assert files(page("a.html", match("texts.json", 0.3, 0.4))) == {"a.html": ()}


@pytest.mark.parametrize("is_reversed", [False, True])
def test_the_order_of_the_pages_does_not_matter(is_reversed: bool) -> None:
    pages = [
        page("a.html", match("a.md", 1, 0.65), match("b.md", 0.6, 0.3)),
        page("b.html", match("b.md", 1, 0.65), match("a.md", 0.6, 0.3)),
        page("c.html", match("a.md", 1, 0.65), match("b.md", 1, 0.65)),
    ]
    assert files(*(reversed(pages) if is_reversed else pages)) == {
        "a.html": ("a.md",),
        "b.html": ("b.md",),
        "c.html": (),
    }


# Languages and versions


def test_a_page_is_made_of_the_file_in_its_language() -> None:
    matches = match("content/en/a.md", 0.9, 0.65), match("content/de/a.md", 0.8, 0.65)
    assert files(page("de/a.html", *matches), languages=["de", "en"])["de/a.html"] == ("content/de/a.md",)
    found = files(page("a.html", *matches, language="de"), languages=["de", "en"])
    assert found["a.html"] == ("content/de/a.md",)


def test_a_page_is_not_made_of_a_file_in_another_language() -> None:
    assert files(page("de/a.html", match("content/en/a.md")), languages=["de", "en"]) == {"de/a.html": ()}


def test_a_page_that_is_not_translated_yet_is_made_of_the_file_itself() -> None:
    translated = page("de/b.html", match("docs/b.de.md"))
    pages = page("a.html", match("docs/a.md", 1, 0.9)), page("de/a.html", match("docs/a.md", 1, 0.9))
    found = files(*pages, translated, languages=["de", "en"])
    assert found["a.html"] == found["de/a.html"] == ("docs/a.md",)


def test_a_translation_that_keeps_much_of_the_text_is_not_made_of_the_other_language_s_file() -> None:
    translated = page("de/b.html", match("docs/b.de.md"))
    pages = page("a.html", match("docs/a.md", 1, 0.9)), page("de/a.html", match("docs/a.md", 0.8, 0.8))
    assert files(*pages, translated, languages=["de", "en"])["de/a.html"] == ()


def test_a_page_of_a_version_is_made_of_the_file_of_that_version() -> None:
    old, new = match("versioned_docs/version-1.0/a.md"), match("versioned_docs/version-2.0/a.md")
    found = files(page("docs/1.0/a.html", old, new), page("docs/2.0/a.html", old, new))
    assert found == {"docs/1.0/a.html": (old.path,), "docs/2.0/a.html": (new.path,)}


def test_a_page_of_no_version_is_made_of_the_newest_or_of_a_file_of_none() -> None:
    old, new = match("versioned_docs/version-1.0/a.md"), match("versioned_docs/version-2.0/a.md")
    assert files(page("docs/a.html", old, new)) == {"docs/a.html": (new.path,)}
    assert files(page("docs/a.html", old), page("docs/2.0/b.html", new))["docs/a.html"] == ()


def test_a_page_is_made_of_the_file_of_the_version_that_it_says_it_is_of() -> None:
    next_, new = match("docs/a.md"), match("versioned_docs/version-2.0/a.md")
    assert files(page("docs/a.html", next_, new, version=(2, 0)))["docs/a.html"] == (new.path,)
    found = files(page("docs/a.html", next_, new, version=(2, 0)), page("docs/next/a.html", next_, new, version=(-1,)))
    assert found == {"docs/a.html": (new.path,), "docs/next/a.html": (next_.path,)}


def test_a_version_that_no_file_has_says_nothing_of_the_sources() -> None:
    assert files(page("docs/a.html", match("docs/a.md"), version=(2, 0)))["docs/a.html"] == ("docs/a.md",)


# Included files


def test_a_page_is_made_of_the_files_that_it_includes_too() -> None:
    found = find(page("a.html", match("a.md", 1, 0.6), match("parts/note.md", 1, 0.3, size=4)))["a.html"]
    assert found.files == ("a.md", "parts/note.md")
    assert found.considered == ()


def test_a_page_may_be_nothing_but_its_file_and_one_that_it_includes() -> None:
    found = files(page("a.html", match("a.md", 1, 0.9), match("parts/note.md", 0.9, 0.1, size=10)))
    assert found == {"a.html": ("a.md", "parts/note.md")}


def test_a_file_that_many_pages_include_is_of_the_frame_and_dates_none() -> None:
    def including(count: int) -> set[Sequence[str]]:
        note = match("parts/note.md", 1, 0.3, size=10)
        pages = [page(f"{n}.html", match(f"{n}.md", 1, 0.6), note) for n in range(count)]
        return {found[1:] for found in files(*pages).values()}

    assert including(3) == {("parts/note.md",)}
    assert including(4) == {()}


def test_a_data_file_that_makes_much_of_a_page_belongs_to_it_though_the_page_does_not_show_all_of_it() -> None:
    text, team = match("a.md", 1, 0.6), match("data/team.yml", 0.5, 0.2)
    assert files(page("a.html", text, team)) == {"a.html": ("a.md", "data/team.yml")}
    for other in (match("parts/team.md", 0.5, 0.2), match("team.yml", 0.4, 0.2), match("team.yml", 0.5, 0.1)):
        assert files(page("a.html", text, other)) == {"a.html": ("a.md",)}


def test_a_data_file_of_which_many_pages_have_much_is_of_the_frame_though_it_makes_much_of_one() -> None:
    others = [page(f"{n}.html", match(f"{n}.md", 1, 0.9), match("labels.yml", 0.5, 0.1)) for n in range(3)]
    found = files(page("a.html", match("a.md", 1, 0.6), match("labels.yml", 0.5, 0.3)), *others)
    assert found["a.html"] == ("a.md",)


def test_a_text_and_a_data_file_of_one_name_that_each_have_a_part_of_a_page_make_it_together() -> None:
    data = match("data/team.yml", 1, 0.53)
    assert files(page("team.html", match("team.md", 1, 0.47), data)) == {"team.html": ("data/team.yml", "team.md")}
    assert files(page("team.html", match("team.md", 1, 0.5), data)) == {"team.html": ()}
    assert files(page("team.html", match("x/team.md", 1, 0.5), match("y/team.md", 1, 0.5))) == {"team.html": ()}


def test_a_page_of_data_with_a_short_text_of_its_name_has_both() -> None:
    data, text = match("data/prices.csv", 1, 0.75), match("prices.md", 1, 0.1, size=1)
    assert files(page("prices.html", data, text)) == {"prices.html": ("data/prices.csv", "prices.md")}
    assert files(page("prices.html", data, match("prices.md", 0.4, 0.1)))["prices.html"] == ("data/prices.csv",)
    assert files(page("prices.html", data, match("rolls.md", 1, 0.1, size=1)))["prices.html"] == ("data/prices.csv",)
    two = page("prices.html", match("prices.md", 1, 0.75), match("old/prices.md", 1, 0.1, size=1))
    assert files(two)["prices.html"] == ("prices.md",)


def test_a_copy_of_the_page_s_file_is_not_included() -> None:
    assert files(page("guide/a.html", match("docs/guide/a.md"), match("backup/b.md"))) == {
        "guide/a.html": ("docs/guide/a.md",)
    }


@pytest.mark.parametrize(
    "included", [match("parts/note.md", 0.6, 0.1, size=10), match("parts/note.md", 1, 0.1, size=2)]
)
def test_a_part_or_a_few_words_of_a_file_are_not_included(included: TextMatch) -> None:
    assert files(page("a.html", match("a.md", 1, 0.6), included)) == {"a.html": ("a.md",)}


def test_a_page_that_quotes_another_page_is_not_made_of_its_file() -> None:
    quoted = page("b.html", match("b.md", 1, 0.9, size=20))
    quoting = page("a.html", match("a.md", 1, 0.6), match("b.md", 1, 0.2, size=20))
    assert files(quoted, quoting) == {"a.html": ("a.md",), "b.html": ("b.md",)}


# Lists


@pytest.mark.parametrize("key", ["tags/iron/index.html", "blog/page/2/index.html", "archives/2026/index.html"])
def test_a_list_page_has_no_source_though_it_has_all_of_a_text(key: str) -> None:
    own = page("posts/a.html", match("posts/a.md", 1, 0.9))
    assert find(own, page(key, match("posts/a.md", 1, 0.9)))[key].reason == "list-page"
    assert find(page(key, match("posts/a.md", 1, 0.8)))[key].reason == "list-page"
    assert (
        find(page("x/seven.html", match("posts/a.md", 1, 0.8)), page(key, match("posts/a.md")))[key].reason
        == "list-page"
    )


@pytest.mark.parametrize("key", ["posts/post-1.html", "news-2024.html", "tags/iron/index.html", "archive/a.html"])
@pytest.mark.parametrize("held", [0.6, 0.9])
def test_a_page_of_which_a_file_has_nearly_all_is_made_of_it_whatever_its_path_is(key: str, held: float) -> None:
    assert files(page(key, match("texts/first.md", held, 0.9))) == {key: ("texts/first.md",)}


def test_a_page_that_has_most_of_two_other_pages_files_is_a_list_of_them() -> None:
    own = [page(f"{name}.html", match(f"posts/{name}.md")) for name in "ab"]
    listing = page("blog/index.html", match("posts/a.md", 0.7, 0.4), match("posts/b.md", 0.6, 0.3))
    assert find(*own, listing)["blog/index.html"].reason == "list-page"
    assert find(own[0], page("blog/index.html", match("posts/a.md", 0.7, 0.4)))["blog/index.html"].reason == "ambiguous"


def test_a_page_of_the_names_of_others_is_a_list_unless_it_has_a_source() -> None:
    assert find(page("index.html", is_list=True))["index.html"].reason == "list-page"
    assert files(page("index.html", match("index.md"), is_list=True)) == {"index.html": ("index.md",)}


def test_a_list_page_takes_no_file_from_its_own_page() -> None:
    pages = page("tags/a/index.html", match("posts/a.md", 1, 0.65)), page("a.html", match("posts/a.md", 0.95, 0.65))
    assert files(*pages)["a.html"] == ("posts/a.md",)


def test_a_list_page_with_a_file_of_its_own_path_is_made_of_it() -> None:
    assert files(page("tags/index.html", match("src/tags.md", 0.9, 0.6)))["tags/index.html"] == ("src/tags.md",)
    below = "guide/4.1/archive/a.html"
    assert files(page(below, match("docs/archive/a.md", 0.9, 0.8))) == {below: ("docs/archive/a.md",)}
    assert find(page(below, match("docs/old/a.md", 0.9, 0.8)))[below].reason == "list-page"


# Links


def test_a_link_to_a_file_with_the_page_s_path_is_evidence() -> None:
    found = find(page("guide/a.html", linked=("docs/guide/a.md",)))["guide/a.html"]
    assert (found.files, found.evidence) == (("docs/guide/a.md",), "edit-link")


@pytest.mark.parametrize(
    "linked", [("docs/guide/b.md",), ("docs/guide/a.md", "docs/guide/b.md"), ("docs/index.md",), ()]
)
def test_a_link_to_another_file_or_links_to_several_are_none(linked: tuple[str, ...]) -> None:
    found = find(page("guide/a.html", linked=linked))["guide/a.html"]
    assert (found.files, found.reason) == ((), "no-evidence")


def test_a_link_that_the_text_contradicts_is_no_evidence() -> None:
    contradicted = page("x/a.html", match("other/b.md", 0.4, 0.5), linked=("docs/guide/a.md",))
    assert files(contradicted) == {"x/a.html": ()}


@pytest.mark.parametrize(
    ("shown", "path", "is_source"), [(5, "x/b.md", True), (3, "x/b.md", False), (5, "x/b.py", False)]
)
def test_a_file_with_another_path_to_which_a_page_links_for_editing_needs_much_of_its_text(
    shown: int, path: str, *, is_source: bool
) -> None:
    blocks = [f"{letter}ne {letter}wo {letter}hree {letter}our {letter}ive." for letter in "abcdefghij"]
    text = "\n\n".join(blocks[:shown]).encode()
    parts = PageParts({"a.html": shingles(blocks)}, NamedParts([path], lambda path: text), lambda path: text)
    others = match("y/c.md", 0.9, 0.1)
    found = find_sources([page("a.html", others, linked=(path,))], [path], [], "", parts)["a.html"]
    assert (path in found.files, found.evidence == "edit-link") == (is_source, is_source)


@pytest.mark.parametrize(
    ("text", "is_list"),
    [
        ("---\ntitle: One\n---\n", True),
        ("---\ntitle: One\n---\nText\n", False),
        ("---\nlead: Two three four five six.\n---\n", False),
    ],
)
def test_a_page_of_a_file_with_a_title_alone_is_a_list_of_others(text: str, *, is_list: bool) -> None:
    path, key = "docs/guide/_index.md", "guide/index.html"
    own = shingles(["Two three four five six."])
    parts = PageParts({key: own}, NamedParts([path], lambda path: b""), lambda path: text.encode())
    found = find_sources([page(key, dated=frozenset([path]), linked=(path,))], [path], [], "", parts)[key]
    assert (found.files, found.reason) == (((), "list-page") if is_list else ((path,), None))


def test_a_file_that_explains_too_little_gives_way_to_the_next() -> None:
    parts = PageParts({"css.html": range(100)}, NamedParts([], lambda path: b""), lambda path: b"")
    named, own = match("templates/css.html", 1, 0.01, size=3), match("content/21-styles.md", 0.9, 0.7)
    found = find_sources([page("css.html", named, own)], [], [], "", parts)["css.html"]
    assert found.files == ("content/21-styles.md",)


def test_a_file_of_the_page_s_path_whose_text_another_one_has_too_is_not_its_own() -> None:
    named, own = match("templates/css.html", 0.6, 0.1), match("content/21-styles.md", 1, 0.95)
    assert files(page("css.html", named, own)) == {"css.html": ("content/21-styles.md",)}
    beside = match("content/21-styles.md", 1, 0.6)
    assert files(page("css.html", named, beside)) == {"css.html": ("templates/css.html", "content/21-styles.md")}


@pytest.mark.parametrize(
    ("text", "is_source"),
    [
        (b"title: A\nslug: css\n\nText", True),
        (b'---\npermalink: "/web/css/"\n---\n', True),
        (b"A\n=\n\n:slug: css\n", True),
        (b"---\nurl: /css.html\n---\n", True),
        (b"---\nslug: css-2\n---\n", False),
        (b"---\npermalink: /{{ page.fileSlug }}/css\n---\n", False),
    ],
)
def test_a_file_that_says_the_page_s_address_needs_less_of_it(text: bytes, *, is_source: bool) -> None:
    parts = PageParts({"css.html": range(100)}, NamedParts([], lambda path: text), lambda path: text)
    found = find_sources([page("css.html", match("content/21-styles.md", 1, 0.2))], [], [], "", parts)["css.html"]
    assert found.files == (("content/21-styles.md",) if is_source else ())


def test_a_program_that_nobody_names_is_no_part_of_a_page_that_shows_the_same_code() -> None:
    assert files(page("a.html", match("a.md", 1, 0.6), match("demo/b.ts", 1, 0.2))) == {"a.html": ("a.md",)}


def test_a_page_of_a_file_that_another_one_includes_is_made_of_both() -> None:
    texts = {"docs/conduct.md": b'---\ntitle: A\n---\n--8<-- "CONDUCT.md"\n', "CONDUCT.md": b"One two three four five."}
    read = texts.__getitem__
    shown = shingles(["One two three four five."])
    parts = PageParts({"conduct/index.html": shown}, NamedParts(list(texts), read), read)
    evidence = page("conduct/index.html", match("CONDUCT.md"), linked=("docs/conduct.md",))
    found = find_sources([evidence], list(texts), [], "", parts)["conduct/index.html"]
    assert set(found.files) == {"docs/conduct.md", "CONDUCT.md"}


def test_a_link_to_a_file_in_another_language_is_no_evidence() -> None:
    assert files(page("de/a.html", linked=("docs/en/a.md",)), languages=["de", "en"]) == {"de/a.html": ()}


def test_text_counts_more_than_a_link() -> None:
    found = find(page("x/a.html", match("x/a.md"), linked=("y/b.md",)))["x/a.html"]
    assert (found.files, found.evidence) == (("x/a.md",), "text")
    assert found.considered == ("y/b.md (linked)",)


# The generator's dates


def test_a_candidate_that_changed_at_the_second_of_the_generator_s_date_is_the_source() -> None:
    one, two = match("x/one.md"), match("y/two.md")
    found = find(page("a.html", one, two, dated=frozenset(["y/two.md"])))["a.html"]
    assert (found.files[0], found.evidence) == ("y/two.md", "generator-date")


def test_a_linked_file_of_that_second_is_the_source() -> None:
    found = find(page("a.html", dated=frozenset(["x/one.md"]), linked=("x/one.md",)))["a.html"]
    assert (found.files, found.evidence) == (("x/one.md",), "generator-date")


def test_a_file_of_that_second_with_the_page_s_path_is_the_source() -> None:
    assert files(page("a.html", dated=frozenset(["docs/a.md", "logo.svg"]))) == {"a.html": ("docs/a.md",)}


def test_a_file_of_that_second_that_is_no_candidate_is_no_evidence() -> None:
    assert files(page("a.html", dated=frozenset(["docs/b.md"]))) == {"a.html": ()}


def test_several_candidates_of_one_second_leave_the_decision_to_the_text() -> None:
    one, two = match("x/one.md"), match("y/two.md", 0.6, 0.3)
    found = find(page("a.html", one, two, dated=frozenset([one.path, two.path])))["a.html"]
    assert (found.files, found.evidence) == (("x/one.md",), "text")


def test_a_file_of_another_language_is_none_though_it_changed_at_that_second() -> None:
    found = files(page("de/a.html", dated=frozenset(["en/a.md"]), linked=("en/a.md",)), languages=["de", "en"])
    assert found == {"de/a.html": ()}


# By the paths of the other pages


KNOWN = (page("a.html", match("content/a.md")), page("b.html", match("content/b.md")))


def by_path(*pages: PageEvidence, names: Sequence[str], languages: Collection[str] = ()) -> dict[str, PageSources]:
    """The sources of pages beside two whose files lie in the folder `content`."""
    return find_sources([*KNOWN, *pages], names, languages)


def test_a_page_without_other_evidence_is_made_of_the_file_that_lies_where_those_of_other_pages_lie() -> None:
    found = by_path(page("docs/x/index.html"), names=["content/docs/x.md", "other/docs/x.md", "x.md"])[
        "docs/x/index.html"
    ]
    assert (found.files, found.evidence) == (("content/docs/x.md",), "path")


def test_of_files_with_the_same_text_the_one_that_lies_where_those_of_other_pages_lie_is_the_source() -> None:
    home = page("index.html", match("README.md"), match("content/index.md"))
    assert by_path(home, names=["README.md", "content/index.md"])["index.html"].files == ("content/index.md",)


def test_text_and_links_count_more_than_where_the_files_of_other_pages_lie() -> None:
    pages = (page("x.html", match("y/one.md")), page("y.html", linked=("z/y.md",)))
    found = by_path(*pages, names=["content/x.md", "content/y.md"])
    assert {key: found[key].files for key in ("x.html", "y.html")} == {"x.html": ("y/one.md",), "y.html": ("z/y.md",)}


def test_of_files_in_the_right_folder_the_one_in_the_page_s_language_is_the_source() -> None:
    known = [page(f"de/{name}.html", match(f"content/{name}.de.md")) for name in "ab"]
    names = ["content/x.md", "content/x.de.md", "content/y.md"]
    found = by_path(*known, page("x.html"), page("de/x.html"), page("de/y.html"), names=names, languages=["de", "en"])
    assert found["de/x.html"].files == ("content/x.de.md",)
    assert found["x.html"].files == ("content/x.md",)
    assert found["de/y.html"].files == ("content/y.md",)
    only_german = by_path(page("x.html", language="en"), names=["content/x.de.md"], languages=["de", "en"])
    assert only_german["x.html"].files == ()


def test_pages_that_share_a_file_do_not_tell_where_files_lie() -> None:
    old = [page(f"old/{name}.html", match(f"content/{name}.md")) for name in "ab"]
    assert by_path(*old, page("old/x.html"), names=["content/x.md"])["old/x.html"].files == ()


@pytest.mark.parametrize(
    ("key", "names"),
    [
        ("x.html", ["other/x.md"]),
        ("x.html", ["content/x.md", "content/x.rst"]),
        ("tags/x.html", ["content/tags/x.md"]),
        ("de/x.html", ["content/en/de/x.md"]),
    ],
)
def test_a_file_elsewhere_and_one_of_several_and_one_of_a_list_are_no_evidence(key: str, names: Sequence[str]) -> None:
    assert by_path(page(key), names=names, languages=["de", "en"])[key].files == ()


# What an explanation has


def test_an_explanation_names_a_few_of_the_other_files() -> None:
    others = [match(f"{n}.md", 0.1, 0.01, size=100 - n) for n in range(10)]
    assert len(find(page("a.html", *others))["a.html"].considered) == 3


# Of modules


def of_module(text: Mapping[str, str], *others: TextMatch, key: str = "api/pump.html") -> PageSources:
    """The sources of a page of the docstring of a module, where the project has these texts, too."""
    docs = " ".join(f"word{n}" for n in range(40))
    contents = {"src/garden/pump.py": f'"""{docs}"""\nx = 1\n', "src/garden/__init__.py": "", **text}
    parts = PageParts(
        {key: shingles([docs])}, NamedParts(list(contents), read := lambda path: contents[path].encode()), read
    )
    return find_sources([page(key, match("src/garden/pump.py"), *others)], list(contents), [], "", parts)[key]


@pytest.mark.parametrize(
    ("texts", "files", "region"),
    [
        ({}, (), "docs:"),
        ({"docs/api/pump.rst": ".. automodule:: garden.pump"}, ("docs/api/pump.rst",), "object:"),
        ({"docs/api/pump.rst": "Pump"}, (), "docs:"),
        ({"docs/api/hose.rst": ".. automodule:: garden.pump"}, (), "docs:"),
    ],
    ids=["no text", "a text that names it", "a text that does not", "the text of another page"],
)
def test_a_page_of_a_module_is_made_of_its_docstrings_and_of_the_text_that_names_them(
    texts: Mapping[str, str], files: Sequence[str], region: str
) -> None:
    found = of_module(texts)
    assert (found.files, found.parts) == (files, (Part("src/garden/pump.py", region),))
    assert "src/garden/pump.py" not in " ".join(found.considered)


def test_a_text_beside_a_module_stays_a_source() -> None:
    found = of_module({"docs/pump.md": "Pump"}, match("docs/pump.md", 0.9, 0.05))
    assert (found.files, found.parts) == (("docs/pump.md",), (Part("src/garden/pump.py", "docs:"),))


@pytest.mark.parametrize(("own", "is_made"), [(0, True), (60, True), (90, False)])
def test_a_page_without_a_file_is_made_of_the_docstrings_of_the_object_for_which_it_is_named(
    own: int, *, is_made: bool
) -> None:
    docs, more = (" ".join(f"{name}{n}" for n in range(count)) for name, count in (("doc", 54), ("own", own + 4)))
    code = f'class Pump:\n    """{docs}"""\n'.encode()
    key, text = "reference/Pump.html", [docs, more] if own else [docs]
    parts = PageParts({key: shingles(text)}, NamedParts(["garden.py"], lambda path: code), lambda path: code)
    found = find_sources([page(key, linked=("garden.py",))], ["garden.py"], [], "", parts)[key]
    assert (found.files, found.parts) == ((), (Part("garden.py", "members:Pump"),) if is_made else ())
    assert (found.reason is None) == is_made


def test_a_page_that_is_named_for_an_object_of_its_module_has_the_docstrings_of_that_object_alone() -> None:
    docs = " ".join(f"word{n}" for n in range(40))
    code = f'class Pump:\n    """{docs}"""\nclass Hose:\n    """Other."""\n'.encode()
    key = "reference/Pump.html"
    parts = PageParts({key: shingles([docs])}, NamedParts(["src/pump.py"], lambda path: code), lambda path: code)
    found = find_sources([page(key, match("src/pump.py"))], ["src/pump.py"], [], "", parts)[key]
    assert found.parts == (Part("src/pump.py", "members:Pump"),)
