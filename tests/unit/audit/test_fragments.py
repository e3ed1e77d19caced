import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.audit.fragments import BrokenFragment, Fragments, read_ids

NAMES = ("a", "b", "A", "c%20d")
PAGES = st.dictionaries(
    st.sampled_from("pqr"),
    st.tuples(st.sets(st.sampled_from(NAMES)), st.sets(st.tuples(st.sampled_from("pqr"), st.sampled_from(NAMES)))),
)


@given(PAGES, st.randoms())
def test_a_fragment_is_broken_if_its_page_has_no_such_id_whatever_the_order_of_the_pages(
    pages: dict[str, tuple[set[str], set[tuple[str, str]]]], random: object
) -> None:
    order = list(pages)
    random.shuffle(order)  # type: ignore[attr-defined]
    fragments = Fragments()
    for key in order:
        ids, links = pages[key]
        text = "".join(f'<p id="{each}">' for each in sorted(ids)).encode()
        fragments.add(key, read_ids(text), [(target, name.encode()) for target, name in sorted(links)])
    expected: dict[tuple[str, str], list[str]] = {}
    for key in sorted(pages):
        for target, name in pages[key][1]:
            if target in pages and name not in pages[target][0]:
                expected.setdefault((target, name), []).append(key)
    assert {(each.target, each.fragment): each.pages for each in fragments.broken()} == expected


def test_the_pages_of_a_broken_fragment_are_in_order() -> None:
    fragments = Fragments()
    for key in "cab":
        fragments.add(key, frozenset(), [("z", b"x")])
    fragments.add("z", read_ids(b"<p id=X>"), [])
    assert list(fragments.broken()) == [BrokenFragment("z", "x", ["a", "b", "c"], is_other_case=True)]
    assert fragments.checked == 3


@pytest.mark.parametrize(
    "text",
    [
        "<!--><p id=a>x</p><!-- end -->",
        "<!-- x --!><p id=a>",
        "<script>'<p id=b>'</script><p id=a><script>",
        "<p id=a><!-- <p id=b>",
        "<p id=a><template><p id=b>",
    ],
)
def test_ids_are_those_of_elements(text: str) -> None:
    assert read_ids(text.encode()) == {hash(b"a")}
