"""A whole check over a server in memory."""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from fake_stores import VirtualClock
from unit.live.fake_site import SITE, FakeSite, reply

from waypost.core.finding_types import LIVE_RULES
from waypost.live import Asker, ListedUrl, LiveCheck, RunFile, Totals
from waypost.live.answer import OUT_OF_TIME
from waypost.live.check import DISALLOWED
from waypost.live.host import PAUSED
from waypost.live.robots_rules import made_up_url
from waypost.live.transport import LiveRequest, Reply
from waypost.validate import FindingReport


def listed(count: int) -> Iterator[ListedUrl]:
    return (ListedUrl(f"{SITE}/{n}", "", "sitemap.xml", n) for n in range(count))


def no_progress(stage: str, done: int, total: int | None) -> None:
    """Show nothing."""


def checked(
    site: FakeSite, run_file: RunFile, *, deadline: float = math.inf, sample: int | None = None, most: int = 5
) -> tuple[Totals, FindingReport]:
    """The result of a check in one thread."""
    report, clock = FindingReport(most, LIVE_RULES), VirtualClock()
    asker = Asker(site, clock, 10, reads_pages=False)
    check = LiveCheck(run_file, asker.ask, clock, 1, clock.time() + deadline, sample)
    return check.run(report, no_progress), report


@pytest.fixture
def run_file(tmp_path: Path) -> Iterator[RunFile]:
    with closing(RunFile(tmp_path / "run", "", 0)) as opened:
        opened.list(listed(10))
        yield opened


def site_of(count: int) -> FakeSite:
    return FakeSite({f"{SITE}/{n}": reply() for n in range(count)})


def test_findings_name_where_a_url_is_listed(run_file: RunFile) -> None:
    site = site_of(9)
    site.answers[f"{SITE}/3"] = reply(301, Location="/4")
    totals, report = checked(site, run_file)
    assert [(each.code, each.line) for each in report] == [("live-redirect", 3), ("live-missing", 9)]
    assert (totals.asked, totals.unasked, dict(totals.by_status)) == (10, 0, {200: 8, 301: 1, 404: 1})


def test_what_was_not_asked_is_counted_by_its_reason(run_file: RunFile) -> None:
    site = site_of(10)
    site.answers |= {
        f"{SITE}/robots.txt": reply(body="User-agent: *\nDisallow: /1\nDisallow: /2"),
        f"{SITE}/3": reply(429),
    }
    totals, report = checked(site, run_file)
    reasons = {DISALLOWED: 2, "its host asks for fewer requests (429)": 1}
    assert (totals.asked, totals.unasked, totals.unasked_by_reason) == (7, 3, reasons)
    assert report.counts == {"live-disallowed": 2}


def test_after_the_deadline_nothing_is_asked(run_file: RunFile) -> None:
    site = site_of(10)
    totals, _ = checked(site, run_file, deadline=0)
    assert (site.asked, totals.asked, totals.unasked_by_reason) == ([], 0, {OUT_OF_TIME: 10})


def test_the_rest_of_a_run_is_asked_by_the_next(run_file: RunFile) -> None:
    first, second = site_of(10), site_of(10)
    totals, _ = checked(first, run_file, deadline=0.45)
    assert 0 < totals.asked < 10
    totals, _ = checked(second, run_file)
    assert (totals.asked, len(first.lines) + len(second.lines)) == (10, 10)
    assert set(first.lines).isdisjoint(second.lines)


def test_an_interruption_keeps_what_was_answered(tmp_path: Path) -> None:
    def interrupt(request: LiveRequest) -> Reply:
        raise KeyboardInterrupt(request.url)

    site = site_of(10)
    with closing(RunFile(tmp_path / "run", "", 0)) as first:
        first.list(listed(10))
        sixth = [url.loc for url, _ in first.unanswered(None)][5]
        site.answers[sixth] = interrupt
        with pytest.raises(KeyboardInterrupt):
            checked(site, first)
    with closing(RunFile(tmp_path / "run", "", 0)) as second:
        second.list(listed(10))
        assert second.answered_count(None) == 5


def test_a_run_over_all_urls_is_finished_and_the_next_asks_on_condition(tmp_path: Path) -> None:
    page = reply(ETag='"1"')
    site = FakeSite({f"{SITE}/0": lambda request: reply(304) if request.headers else page})
    conditions: list[dict[str, str]] = [{}, {"If-None-Match": '"1"'}]
    for headers in conditions:
        with closing(RunFile(tmp_path / "run", "", 0)) as run_file:
            run_file.list(listed(1))
            totals, _ = checked(site, run_file)
        assert (totals.by_status, site.asked[-1].headers) == ({200: 1}, headers)


def test_a_run_ends_although_a_url_is_never_answered(tmp_path: Path) -> None:
    site = site_of(3)
    site.answers[f"{SITE}/1"] = reply(429)
    for asked in (2, 4):
        with closing(RunFile(tmp_path / "run", "", 0)) as run_file:
            run_file.list(listed(3))
            checked(site, run_file)
        assert len([line for line in site.lines if not line.endswith("/1")]) == asked


def test_a_run_over_a_host_that_asks_for_a_pause_continues(tmp_path: Path) -> None:
    site = site_of(3)
    with closing(RunFile(tmp_path / "run", "", 0)) as run_file:
        run_file.list(listed(3))
        second = [url.loc for url, _ in run_file.unanswered(None)][1]
        site.answers[second] = reply(503, Retry_After="3600")
        assert checked(site, run_file)[0].unasked_by_reason == {PAUSED: 2}
        asked = len(site.lines)
    with closing(RunFile(tmp_path / "run", "", 0)) as run_file:
        run_file.list(listed(3))
        site.answers[second] = reply()
        assert checked(site, run_file)[0].unasked == 0
    assert len(site.lines) == asked + 2


def test_no_url_is_asked_for_which_the_time_is_over_while_it_waits(run_file: RunFile) -> None:
    site, clock = site_of(10), VirtualClock()
    site.answers[f"{SITE}/robots.txt"] = reply(body="User-agent: *\nCrawl-delay: 100")
    begin, deadline = clock.time(), clock.time() + 300
    asker = Asker(site, clock, 10, reads_pages=False, deadline=deadline)
    totals = LiveCheck(run_file, asker.ask, clock, 1, deadline, None).run(FindingReport(5, LIVE_RULES), no_progress)
    assert (totals.asked, totals.unasked_by_reason) == (2, {OUT_OF_TIME: 8})
    assert clock.time() - begin < 201


def test_a_host_that_answers_any_url_with_200_is_named_once(run_file: RunFile) -> None:
    site = site_of(10)
    site.answers[made_up_url(SITE)] = reply()
    _, report = checked(site, run_file)
    assert [(each.code, each.loc) for each in report] == [("live-no-404", made_up_url(SITE))]


ALTERNATES = f'<link rel=alternate hreflang=en href="{SITE}/1"><link rel=alternate hreflang=de href="{SITE}/de">'


def test_urls_that_pages_name_are_asked_once_although_they_are_not_listed(run_file: RunFile) -> None:
    site = site_of(10)
    gone = f'<title>a</title><link rel=canonical href="{SITE}/gone">'
    site.answers |= {f"{SITE}/{n}": reply(body=gone) for n in (2, 3)}
    site.answers |= {f"{SITE}/1": reply(body=f"<title>a</title>{ALTERNATES}"), f"{SITE}/de": reply(body="<title>d")}
    clock = VirtualClock()
    check = LiveCheck(run_file, Asker(site, clock, 10, reads_pages=True).ask, clock, 1, math.inf, None)
    report = FindingReport(9, LIVE_RULES)
    totals = check.run(report, no_progress)
    assert (totals.named, totals.asked) == (2, 10)
    assert [each.url for each in site.asked].count(f"{SITE}/gone") == 1
    named = [(each.code, each.loc) for each in report if each.code != "live-empty"]
    assert named == [
        ("live-alternate-unreturned", f"{SITE}/1"),
        ("live-canonical-missing", f"{SITE}/2"),
        ("live-canonical-missing", f"{SITE}/3"),
    ]


def test_only_the_sample_is_asked(run_file: RunFile) -> None:
    site = site_of(10)
    totals, _ = checked(site, run_file, sample=4)
    assert (totals.listed, totals.chosen, totals.asked, len(site.lines)) == (10, 4, 4, 4)


@pytest.mark.release
def test_memory_does_not_grow_with_the_number_of_urls(tmp_path: Path) -> None:
    assert peak(tmp_path / "many", 10_000) < peak(tmp_path / "few", 2_000) + 1_000_000


def peak(path: Path, count: int) -> int:
    """The most memory that Python held during a check of so many URLs, all of which redirect."""
    moved, others = reply(301, Location=f"{SITE}/new"), {"/robots.txt": reply(404), "/new": reply()}

    def send(request: LiveRequest) -> Reply:
        path = request.url.removeprefix(SITE)
        return reply(404) if request.url == made_up_url(SITE) else others.get(path, moved)

    report, clock = FindingReport(5, LIVE_RULES), VirtualClock()
    tracemalloc.start()
    try:
        with closing(RunFile(path, "", 0)) as run_file:
            run_file.list(listed(count))
            asker = Asker(send, clock, 10, reads_pages=False)
            check = LiveCheck(run_file, asker.ask, clock, 4, math.inf, None)
            assert check.run(report, no_progress).by_status == {301: count}
        assert (len(list(report)), report.counts) == (5, {"live-redirect": count})
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
