"""A host: robots.txt first, requests one after another, and an end to those that fail."""

from __future__ import annotations

import pytest
from fake_stores import VirtualClock
from unit.live.fake_site import SITE, FakeSite, Given, reply

from waypost.files.http_headers import HttpHeaders
from waypost.live.answer import NotAskedError, OutOfTimeError
from waypost.live.host import LiveHost, MissingPage, Pace, retry_after
from waypost.live.robots_rules import made_up_url
from waypost.live.transport import LiveRequest, Reply

ROBOTS = f"{SITE}/robots.txt"
PAGE = LiveRequest("HEAD", f"{SITE}/a")


def host(site: FakeSite, clock: VirtualClock | None = None) -> LiveHost:
    return LiveHost(SITE, site, clock or VirtualClock(), 10)


def test_robots_txt_is_read_once_through_redirects() -> None:
    moved = "https://other.example/robots.txt"
    rules = reply(body="User-agent: *\nDisallow: /a", Content_Type="text/plain")
    site = FakeSite({ROBOTS: reply(301, Location=moved), moved: rules})
    asked = host(site)
    assert [asked.robots().disallowed_for(f"{SITE}/{name}") for name in "ab"] == ["Google", ""]
    assert [each.url for each in site.asked] == [ROBOTS, moved]


def test_a_robots_txt_that_only_redirects_counts_as_missing() -> None:
    site = FakeSite({ROBOTS: reply(301, Location=ROBOTS)})
    assert (host(site).robots().disallowed_for(f"{SITE}/a"), len(site.asked)) == ("", 6)


@pytest.mark.parametrize("given", [reply(500), reply(503), reply(429), ConnectionResetError("reset")])
def test_nothing_may_be_asked_if_robots_txt_cannot_be_read(given: Given) -> None:
    asked = host(FakeSite({ROBOTS: given}))
    for _ in range(2):
        with pytest.raises(NotAskedError, match=r"robots\.txt cannot be read \(.+RFC 9309"):
            asked.robots().disallowed_for(f"{SITE}/a")


def test_nothing_may_be_asked_if_only_a_part_of_robots_txt_can_be_read() -> None:
    part = Reply(200, reply().headers, b"User-agent: *\nDisallow:", damage="95 bytes are missing")
    with pytest.raises(NotAskedError, match="95 bytes are missing"):
        host(FakeSite({ROBOTS: part})).robots().disallowed_for(f"{SITE}/a")


def test_the_crawl_delay_of_robots_txt_is_kept() -> None:
    site, clock = FakeSite({ROBOTS: reply(body="User-agent: *\nCrawl-delay: 20")}), VirtualClock()
    asked = host(site, clock)
    asked.robots().disallowed_for(PAGE.url)
    asked.exchange(PAGE)
    before = clock.time()
    asked.exchange(PAGE)
    assert clock.time() - before == 20


@pytest.mark.parametrize("delay", ["121", "1e7", "1e20"])
def test_a_host_that_asks_for_a_long_pause_between_requests_is_not_asked(delay: str) -> None:
    site, clock = FakeSite({ROBOTS: reply(body=f"User-agent: *\nCrawl-delay: {delay}")}), VirtualClock()
    asked, before = host(site, clock), clock.time()
    assert asked.robots().disallowed_for(PAGE.url) == ""
    with pytest.raises(NotAskedError, match="Crawl-delay"):
        asked.exchange(PAGE)
    assert (clock.time(), [each.url for each in site.asked]) == (before, [ROBOTS])


def test_a_host_whose_turn_comes_after_the_deadline_is_not_asked() -> None:
    site, clock = FakeSite({ROBOTS: reply(404)}), VirtualClock()
    asked = LiveHost(SITE, site, clock, 10, deadline=clock.time())
    with pytest.raises(OutOfTimeError):
        asked.robots().disallowed_for(PAGE.url)
    assert site.asked == []


def test_a_busy_host_is_asked_again_after_the_pause_that_it_names() -> None:
    answers = iter([reply(429, Retry_After="40"), reply(503, Retry_After="50"), reply()])
    site, clock = FakeSite({PAGE.url: lambda request: next(answers)}), VirtualClock()
    before = clock.time()
    assert (host(site, clock).exchange(PAGE).status, clock.time() - before) == (200, 90)


def test_a_host_that_stays_busy_is_an_answer_for_503_and_none_for_429() -> None:
    assert host(FakeSite({PAGE.url: reply(503)})).exchange(PAGE).status == 503
    with pytest.raises(NotAskedError, match="fewer requests"):
        host(FakeSite({PAGE.url: reply(429)})).exchange(PAGE)


def test_a_host_that_asks_for_an_hour_is_asked_no_more() -> None:
    site = FakeSite({PAGE.url: reply(503, Retry_After="3600")})
    asked = host(site)
    for _ in range(3):
        with pytest.raises(NotAskedError, match="a pause of over two minutes"):
            asked.exchange(PAGE)
    assert len(site.asked) == 1


def test_a_host_that_fails_ten_times_in_a_row_is_asked_no_more() -> None:
    site = FakeSite({PAGE.url: ConnectionResetError("reset")})
    asked = host(site)
    for _ in range(10):
        with pytest.raises(ConnectionResetError):
            asked.exchange(PAGE)
    with pytest.raises(NotAskedError, match="failed 10 times"):
        asked.exchange(PAGE)
    assert len(site.asked) == 10


def test_failures_between_answers_do_not_count() -> None:
    site = FakeSite({PAGE.url: ConnectionResetError("reset"), f"{SITE}/b": reply()})
    asked = host(site)
    for _ in range(20):
        with pytest.raises(ConnectionResetError):
            asked.exchange(PAGE)
        assert asked.exchange(LiveRequest("HEAD", f"{SITE}/b")).status == 200


def test_a_private_host_is_looked_up_once() -> None:
    site = FakeSite({ROBOTS: PermissionError(13, "private")})
    asked = host(site)
    for _ in range(3):
        with pytest.raises(PermissionError, match="private"):
            asked.robots().disallowed_for(PAGE.url)
    assert len(site.asked) == 1


def starts(pace: Pace, clock: VirtualClock, count: int) -> list[float]:
    """The times at which so many requests start, in seconds after the first."""
    times = []
    for _ in range(count):
        pace.wait()
        times.append(clock.time())
    return [time - times[0] for time in times]


def test_requests_are_as_far_apart_as_the_rate_asks() -> None:
    clock = VirtualClock()
    assert starts(Pace(clock, 2), clock, 4) == [0, 0.5, 1, 1.5]


def test_a_crawl_delay_makes_it_slower_but_never_faster() -> None:
    clock = VirtualClock()
    pace = Pace(clock, 1)
    pace.at_least(3)
    pace.at_least(0)
    assert starts(pace, clock, 3) == [0, 3, 6]


def test_after_a_pause_the_rate_is_half_of_what_it_was() -> None:
    clock = VirtualClock()
    pace = Pace(clock, 1)
    pace.wait()
    pace.slow_down(30)
    before = clock.time()
    first = starts(pace, clock, 3)
    assert (clock.time() - before, first) == (34, [0, 2, 4])


def test_a_pause_that_begins_while_a_request_waits_is_kept() -> None:
    class SlowedDown(VirtualClock):
        def sleep(self, seconds: float) -> None:
            super().sleep(seconds)
            if not slowed:
                slowed.append(seconds)
                pace.slow_down(10)

    slowed: list[float] = []
    clock = SlowedDown()
    pace = Pace(clock, 1)
    assert starts(pace, clock, 2) == [0, 11]


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        ("Thu, 01 Jan 1970 00:20:00 GMT", 200),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("soon", None),
        ("", None),
    ],
)
def test_a_server_may_name_seconds_or_a_date(value: str, seconds: float | None) -> None:
    assert retry_after(HttpHeaders([("Retry-After", value)]), 1_000) == seconds


@pytest.mark.parametrize("delay", [1e7, 1e20, float("inf")])
def test_no_pause_between_two_requests_is_longer_than_the_limit(delay: float) -> None:
    clock = VirtualClock()
    pace = Pace(clock, 1)
    pace.at_least(delay)
    assert starts(pace, clock, 3) == [0, 120, 240]


def test_nobody_waits_for_a_request_that_would_begin_after_the_deadline() -> None:
    clock = VirtualClock()
    begin = clock.time()
    pace = Pace(clock, 1, deadline=begin + 100)
    pace.at_least(60)
    assert starts(pace, clock, 2) == [0, 60]
    with pytest.raises(OutOfTimeError, match="max-minutes"):
        pace.wait()
    assert clock.time() == begin + 60


def test_nothing_is_like_an_answer_that_is_not_known_or_has_no_text() -> None:
    empty = host(FakeSite({made_up_url(SITE): reply(body="<title></title>")})).missing_page()
    assert (MissingPage().has_page(), empty.has_page()) == (False, True)
    assert not any(each.is_same(f"{SITE}/a", b"<p>x") for each in (MissingPage(), empty))
    assert not empty.is_same(f"{SITE}/a", b"")
