"""Links to other sites: what is asked, what is known, and what an answer says."""

from __future__ import annotations

import math
from contextlib import closing
from pathlib import Path

import pytest
from fake_stores import VirtualClock
from unit.live.fake_site import SITE, FakeSite, reply

from waypost.live.answer import OUT_OF_TIME, Answer, Hop
from waypost.live.asker import Asker
from waypost.live.check import DISALLOWED
from waypost.live.link_check import KnownAnswer, LinkAnswers, LinkCheck, LinkMemory, LinkProblem, judge

A, B, C = f"{SITE}/a", f"{SITE}/b", f"{SITE}/c"
DAY = 86_400
NOON = 20_000.5 * DAY
URL = "https://other.example/"
NOT_FOUND = "404 Not Found"


def missing(text: str) -> LinkProblem:
    return LinkProblem("external-missing", text)


def unreachable(text: str) -> LinkProblem:
    return LinkProblem("external-unreachable", text)


def checked(
    memory: LinkMemory,
    site: FakeSite,
    clock: VirtualClock,
    *urls: str,
    max_age: float = 7,
    deadline: float = math.inf,
) -> LinkAnswers:
    asker = Asker(site, clock, 10, reads_pages=False, deadline=deadline, finds_soft_404=False)
    check = LinkCheck(memory, asker.ask, clock, 1, max_age, deadline)
    return check.run(urls, lambda stage, done, total: None)


def test_only_what_is_not_known_or_too_old_is_asked() -> None:
    site, clock = FakeSite({A: reply(), B: reply(404)}), VirtualClock()
    with closing(LinkMemory(None)) as memory:
        first = checked(memory, site, clock, A, B)
        assert (first.asked, first.known, first.problems) == (
            2,
            0,
            {B: missing(NOT_FOUND)},
        )
        clock.sleep(6 * DAY)
        second = checked(memory, site, clock, A, B)
        assert (second.asked, second.known, second.problems) == (0, 2, first.problems)
        clock.sleep(2 * DAY)
        third = checked(memory, site, clock, A, B, C)
        assert (third.asked, third.known) == (3, 0)
        assert third.problems[B] == LinkProblem("external-gone", NOT_FOUND)
        assert third.problems[C].code == "external-missing"


def test_a_url_that_is_there_again_is_no_problem() -> None:
    site, clock = FakeSite({A: reply(404)}), VirtualClock()
    with closing(LinkMemory(None)) as memory:
        assert checked(memory, site, clock, A, max_age=0).problems
        site.answers[A] = reply()
        clock.sleep(2 * DAY)
        assert not checked(memory, site, clock, A, max_age=0).problems


def test_what_was_not_asked_is_counted_and_asked_by_the_next_run() -> None:
    rules = reply(body="User-agent: *\nDisallow: /b\nCrawl-delay: 100")
    site, clock = FakeSite({A: reply(), B: reply(), C: reply(), f"{SITE}/robots.txt": rules}), VirtualClock()
    with closing(LinkMemory(None)) as memory:
        found = checked(memory, site, clock, A, B, C, deadline=clock.time() + 50)
        assert (found.asked + found.known, found.unasked_by_reason) == (1, {OUT_OF_TIME: 1, DISALLOWED: 1})
        found = checked(memory, site, clock, A, B, C)
        assert (found.known, found.asked, found.unasked_by_reason) == (1, 1, {DISALLOWED: 1})


def test_a_host_without_an_address_leads_nowhere_and_one_without_readable_rules_is_not_asked() -> None:
    robots = f"{SITE}/robots.txt"
    for answer, problems in (
        (OSError(8, "no address"), {A: unreachable("no address")}),
        (reply(500), {}),
    ):
        with closing(LinkMemory(None)) as memory:
            found = checked(memory, FakeSite({robots: answer, A: reply()}), VirtualClock(), A)
        assert found.problems == problems
        assert sum(found.unasked_by_reason.values()) == (not problems)


def test_after_the_deadline_nothing_is_asked() -> None:
    site, clock = FakeSite({A: reply()}), VirtualClock()
    asker = Asker(site, clock, 10, reads_pages=False)
    with closing(LinkMemory(None)) as memory:
        found = LinkCheck(memory, asker.ask, clock, 1, 7, clock.time()).run([A], lambda stage, done, total: None)
    assert (site.asked, found.asked, found.unasked_by_reason) == ([], 0, {OUT_OF_TIME: 1})


def test_no_made_up_url_is_asked_of_other_sites() -> None:
    site = FakeSite({A: reply()})
    with closing(LinkMemory(None)) as memory:
        checked(memory, site, VirtualClock(), A)
    assert [each.url for each in site.asked] == [f"{SITE}/robots.txt", A]


@pytest.mark.parametrize(
    ("answer", "judged"),
    [
        (Answer(status=200), None),
        (Answer(status=200, hops=(Hop(301, B),)), None),
        (
            Answer(status=404, hops=(Hop(301, B),)),
            missing(f"404 Not Found, after a redirect to {B}"),
        ),
        (Answer(status=410), missing("410 Gone")),
        (Answer(status=503), unreachable("503 Service Unavailable")),
        (Answer(status=403), "its server refuses programs (403)"),
        (Answer(status=451), "its server refuses programs (451)"),
        (Answer(status=999), "its server refuses programs (999)"),
        (Answer(why="reset"), unreachable("reset")),
        (
            Answer(is_loop=True, hops=(Hop(301, A),)),
            unreachable("redirects in a circle, or too often"),
        ),
        (Answer(disallowed_for="Google"), DISALLOWED),
        (Answer(hops=(Hop(301, B),), unasked="robots.txt"), "it redirects to what was not asked: robots.txt"),
    ],
)
def test_an_answer_is_judged(answer: Answer, judged: LinkProblem | str | None) -> None:
    assert judge(KnownAnswer(0, answer)) == judged


def test_an_answer_is_remembered(tmp_path: Path) -> None:
    for _ in range(2):
        with closing(LinkMemory(tmp_path / "answers")) as memory:
            memory.keep(URL, Answer(status=200), NOON)
    with closing(LinkMemory(tmp_path / "answers")) as memory:
        known = memory.of(URL)
        assert known is not None
        assert (known.asked, known.answer.status, known.missing_since) == (NOON, 200, None)
        assert memory.of("https://unknown.example/") is None


@pytest.mark.parametrize(
    ("answers", "is_missing_for_days"),
    [
        ([(404, 0)], False),
        ([(404, 0), (404, 0.4)], False),
        ([(404, 0), (410, 0.6)], True),
        ([(404, 0), (404, 3)], True),
        ([(404, 0), (200, 1), (404, 2)], False),
        ([(404, 0), (500, 1), (404, 2)], False),
        ([(200, 0), (404, 1)], False),
        ([(404, 0), (404, 1), (200, 2)], False),
    ],
)
def test_a_url_is_missing_for_days_if_it_was_on_two_days_in_a_row_of_answers(
    answers: list[tuple[int, float]], is_missing_for_days: bool
) -> None:
    with closing(LinkMemory(None)) as memory:
        for status, days in answers:
            known = memory.keep(URL, Answer(status=status), NOON + days * DAY)
        assert known.is_missing_for_days == is_missing_for_days


def test_urls_that_no_page_names_any_more_are_forgotten(tmp_path: Path) -> None:
    with closing(LinkMemory(tmp_path / "answers")) as memory:
        for n in range(120):
            memory.keep(f"{URL}{n}", Answer(status=200), NOON)
        memory.keep_only([f"{URL}7"])
    with closing(LinkMemory(tmp_path / "answers")) as memory:
        assert [n for n in range(120) if memory.of(f"{URL}{n}")] == [7]
