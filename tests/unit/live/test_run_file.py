"""What a run file remembers, and of which run."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from waypost.live.answer import Answer, Hop
from waypost.live.run_file import ListedUrl, RunFile

URLS = [ListedUrl(f"https://www.example.org/{n}", "2026-01-01", "sitemap.xml", n) for n in range(20)]
LOCS = {url.loc for url in URLS}
DONE, OLD = Answer(status=200, etag='"1"'), Answer(status=301, hops=(Hop(301, "https://www.example.org/"),))


def opened(path: Path | None, options: str = "", urls: list[ListedUrl] = URLS, *, now: float = 0) -> closing[RunFile]:
    run_file = RunFile(path, options, now)
    run_file.list(urls)
    return closing(run_file)


def waiting(run_file: RunFile, sample: int | None = None) -> dict[str, Answer | None]:
    """The URLs that are still to be asked, with their earlier answers."""
    return {url.loc: answer for url, answer in run_file.unanswered(sample)}


def test_an_interrupted_run_continues(tmp_path: Path) -> None:
    with opened(tmp_path / "run") as first:
        first.keep(URLS[3].loc, DONE)
    with opened(tmp_path / "run") as second:
        assert waiting(second) == dict.fromkeys(LOCS - {URLS[3].loc})
        assert (second.answered_count(None), dict(second.answers(None))[URLS[3]]) == (1, DONE)


def test_after_a_finished_run_all_are_asked_again_with_what_is_known(tmp_path: Path) -> None:
    with opened(tmp_path / "run") as first:
        for url in URLS:
            first.keep(url.loc, OLD)
        first.finish()
    with opened(tmp_path / "run") as second:
        assert waiting(second) == dict.fromkeys(LOCS, OLD)
        assert (second.answered_count(None), {answer for _, answer in second.answers(None)}) == (0, {None})


@pytest.mark.parametrize(("days", "is_continued"), [(6, True), (8, False)])
def test_an_interrupted_run_continues_for_a_week(tmp_path: Path, days: int, *, is_continued: bool) -> None:
    with opened(tmp_path / "run") as first:
        first.keep(URLS[0].loc, DONE)
    with opened(tmp_path / "run", now=days * 86_400) as second:
        assert (second.answered_count(None) == 1) is is_continued


def test_a_run_with_other_options_is_a_new_one(tmp_path: Path) -> None:
    with opened(tmp_path / "run", "headers") as first:
        first.keep(URLS[0].loc, DONE)
    with opened(tmp_path / "run", "pages") as second:
        assert waiting(second)[URLS[0].loc] == DONE


def test_urls_that_are_no_longer_listed_are_not_asked(tmp_path: Path) -> None:
    with opened(tmp_path / "run"):
        pass
    with opened(tmp_path / "run", urls=URLS[:2]) as second:
        assert (second.count(), set(waiting(second))) == (2, {url.loc for url in URLS[:2]})


def test_of_a_url_that_is_listed_twice_the_first_counts() -> None:
    with opened(None, urls=[URLS[0], URLS[0]._replace(line=99), URLS[1]]) as run_file:
        assert [url for url, _ in run_file.answers(None)] == URLS[:2]


def test_a_sample_is_the_same_in_any_order_and_part_of_a_larger_one() -> None:
    with opened(None) as one, opened(None, urls=URLS[::-1]) as other:
        small, large = set(waiting(one, 5)), set(waiting(other, 8))
        assert (len(small), len(large), small < large) == (5, 8, True)
        assert {url.loc for url, _ in one.answers(5)} == small
        assert set(waiting(one, 100)) == LOCS


def test_answers_that_are_recorded_while_urls_are_read_leave_none_out() -> None:
    urls = [ListedUrl(f"https://www.example.org/{n}", "", "a", n) for n in range(1_100)]
    with opened(None, urls=urls) as run_file:
        seen = []
        for url, _ in run_file.unanswered(None):
            seen.append(url.loc)
            run_file.keep(url.loc, DONE)
        assert (len(seen), len(set(seen)), waiting(run_file)) == (1_100, 1_100, {})
