"""Changed metadata: which values differ, and that any difference is named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.validate import SITEMAP_NAMESPACE, FieldChange, field_changes
from waypost.validate.sitemap_entry import IMAGE_NAMESPACE, VIDEO_NAMESPACE, XHTML_NAMESPACE, Content


def field(name: str, text: str) -> Content:
    return SITEMAP_NAMESPACE, name, (), text, ()


def image(loc: str, title: str = "") -> Content:
    parts = (("loc", loc), ("title", title))
    children = tuple((IMAGE_NAMESPACE, name, (), text, ()) for name, text in parts if text)
    return IMAGE_NAMESPACE, "image", (), "", children


def alternate(language: str, href: str, *more: tuple[str, str]) -> Content:
    return XHTML_NAMESPACE, "link", (("href", href), ("hreflang", language), *more, ("rel", "alternate")), "", ()


def restriction(relationship: str) -> Content:
    return VIDEO_NAMESPACE, "restriction", (("relationship", relationship),), "DE", ()


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ([field("priority", "0.5")], [field("priority", "0.9")], [("priority", "0.5", "0.9")]),
        ([field("priority", "0.5")], [], [("priority", "0.5", None)]),
        ([], [field("changefreq", "daily")], [("changefreq", None, "daily")]),
        ([image("a")], [image("a", "A")], [("image:title", None, "A")]),
        ([image("a"), image("b")], [image("b"), image("c")], [("image:loc", "a", "c")]),
        ([alternate("de", "a")], [alternate("de", "b")], [("alternate de", "a", "b")]),
        ([alternate("de", "a")], [alternate("fr", "a")], [("alternate de", "a", None), ("alternate fr", None, "a")]),
        (
            [alternate("de", "a")],
            [alternate("de", "a", ("media", "print"))],
            [("alternate de@media", None, "print")],
        ),
        ([restriction("allow")], [restriction("deny")], [("video:restriction@relationship", "allow", "deny")]),
        ([], [("https://e.org/ns", "x", (), "1", ())], [("{https://e.org/ns}x", None, "1")]),
        (
            [image("a", "A"), image("b", "B")],
            [image("a", "B"), image("b", "A")],
            [("image:title", "A", "B"), ("image:title", "B", "A")],
        ),
        (
            [alternate("de", "a"), alternate("fr", "b")],
            [alternate("fr", "b"), alternate("de", "a")],
            [("order", "alternate de, alternate fr", "alternate fr, alternate de")],
        ),
    ],
)
def test_each_value_that_differs_is_named(
    old: list[Content], new: list[Content], changes: list[tuple[str, str | None, str | None]]
) -> None:
    assert field_changes(old, new) == [FieldChange(*each) for each in changes]


CONTENTS = st.recursive(
    st.tuples(
        st.sampled_from([IMAGE_NAMESPACE, XHTML_NAMESPACE, "other"]),
        st.sampled_from(["a", "link"]),
        st.sampled_from([(), (("href", "1"), ("hreflang", "de"), ("rel", "alternate")), (("x", "1"),)]),
        st.sampled_from(["", "1", "2"]),
        st.just(()),
    ),
    lambda inner: st.tuples(
        st.just(IMAGE_NAMESPACE), st.just("a"), st.just(()), st.just(""), st.lists(inner, max_size=3).map(tuple)
    ),
    max_leaves=5,
)
METADATA = st.lists(CONTENTS, max_size=4)


@given(METADATA, METADATA)
def test_there_are_changes_exactly_if_the_metadata_differs(old: list[Content], new: list[Content]) -> None:
    assert bool(field_changes(old, new)) == (old != new)


@given(METADATA, METADATA)
def test_swapped_sides_swap_old_and_new_values(old: list[Content], new: list[Content]) -> None:
    there, back = field_changes(old, new), field_changes(new, old)
    assert {(each.name, each.old, each.new) for each in there} == {(each.name, each.new, each.old) for each in back}
