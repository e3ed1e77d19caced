import pytest
from fake_buckets import StatefulBucket

from waypost.build.bucket_state import removed_percent, with_counts

HOUR = 3_600


@pytest.mark.parametrize(("hours", "percent"), [(0, 40.0), (1, 40.0), (23, 40.0), (24, 0.0)])
def test_a_mass_removal_is_seen_for_a_day(hours: int, percent: float) -> None:
    counts = with_counts((), (100, 60), 0.0)
    assert removed_percent(counts, 60, hours * HOUR) == percent


def test_later_changes_do_not_hide_it_and_pages_that_come_back_end_it() -> None:
    counts = with_counts((), (100, 20), 0.0)
    counts = with_counts(counts, (20, 21), HOUR * 1.5)
    assert removed_percent(counts, 21, HOUR * 2) == 79.0
    assert removed_percent(with_counts(counts, (21, 100), HOUR * 2), 100, HOUR * 2) == 0.0


def test_a_site_that_shrinks_by_a_page_a_day_removes_one_page() -> None:
    counts, pages = with_counts((), (100, 100), 0.0), 100
    for day in range(40):
        counts = with_counts(counts, (pages, pages - 1), day * 24.0 * HOUR)
        pages -= 1
    assert removed_percent(counts, pages, 40 * 24.0 * HOUR - HOUR) < 2
    assert len(counts) == 1


def test_a_small_site_may_lose_all_its_pages() -> None:
    assert removed_percent(with_counts((), (19, 0), 0.0), 0, 0.0) == 0.0


def test_the_state_of_a_bucket_counts_its_pages() -> None:
    bucket = StatefulBucket(urls=50)
    for n in range(40):
        bucket.put(f"p{n}.html", "<p>x")
    bucket.rebuild()
    for n in range(30):
        bucket.delete(f"p{n}.html")
    bucket.update(*(f"p{n}.html" for n in range(30)))
    bucket.clock.sleep(HOUR * 3)
    bucket.change("new.html", "<p>new")
    head = bucket.remembered().head
    assert removed_percent(head.counts, head.page_count, bucket.clock.time()) == 72.5
