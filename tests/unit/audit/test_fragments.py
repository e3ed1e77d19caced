import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.audit.fragments import Fragments, read_ids
from waypost.audit.result import AuditIssue

NAMES = ("a", "b", "A", "c%20d")
PAGES = st.dictionaries(
    st.sampled_from("pqr"),
    st.tuples(st.sets(st.sampled_from(NAMES)), st.sets(st.tuples(st.sampled_from("pqr"), st.sampled_from(NAMES)))),
)


@settings(max_examples=50)
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
    assert {tuple(each.target.split("#")): sorted(each.pages) for each in fragments.broken(str)} == expected


def test_a_broken_fragment_names_its_pages_and_says_if_only_capital_letters_differ() -> None:
    fragments = Fragments()
    for key in "cab":
        fragments.add(key, frozenset(), [("z", b"x")])
    fragments.add("z", read_ids(b"<p id=X>"), [])
    (broken,) = fragments.broken("/{}".format)
    assert broken == AuditIssue("broken-fragment", "/z#x", ["c", "a", "b"], "an id differs in capital letters")
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
