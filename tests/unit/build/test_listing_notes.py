from waypost.build.listing_notes import ListingNotes
from waypost.core import reasons
from waypost.core.model import Example, Skipped


def test_what_is_left_out_comes_in_the_order_of_keys_and_in_visible_characters() -> None:
    notes = ListingNotes()
    notes.leave_out("b\n.html", reasons.EXCLUDED, "a\tb")
    notes.skip(Skipped("a.html", reasons.NOINDEX))
    assert notes.skipped() == [
        Skipped("a.html", reasons.NOINDEX),
        Skipped("b\\n.html", reasons.EXCLUDED, "a\\tb"),
    ]


def test_a_warning_counts_its_cases_and_shows_the_first() -> None:
    notes = ListingNotes()
    for n in range(5):
        notes.warn("unreadable", Example(f"{n}.html"))
    notes.warn("foreign-canonical", Example("a.html"))
    first, second = notes.warnings()
    assert (first.code, first.count) == ("foreign-canonical", 1)
    assert (second.code, second.count, [each.key for each in second.examples]) == (
        "unreadable",
        5,
        ["0.html", "1.html", "2.html"],
    )
