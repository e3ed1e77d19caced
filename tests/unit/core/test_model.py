import pytest

from waypost.core.model import Changes, Plan, printable
from waypost.core.reasons import REASONS


def test_every_reason_is_explained_in_words_of_its_own() -> None:
    assert len({reason.meaning for reason in REASONS.values()}) == len(REASONS)


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        ("ü 日本.html", "ü 日本.html"),
        ("caf\udce9.html", "caf\\xe9.html"),
        ("a\nb.html", "a\\nb.html"),
        ("a\u202eb.html", "a\\u202eb.html"),
    ],
)
def test_a_key_is_printed_so_that_a_person_can_see_it(key: str, shown: str) -> None:
    assert printable(key) == shown
    assert shown.isprintable()


@pytest.mark.parametrize(
    ("written", "removed", "is_stale"), [((), (), False), (("sitemap.xml",), (), True), ((), ("old.xml",), True)]
)
def test_a_plan_is_stale_where_it_would_write_or_remove(
    written: tuple[str, ...], removed: tuple[str, ...], is_stale: bool
) -> None:
    plan = Plan((), (), (), (), written, ("robots.txt",), removed, Changes())
    assert plan.is_stale is is_stale
