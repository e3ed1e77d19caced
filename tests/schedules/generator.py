"""Makes schedules from seeds."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any, NamedTuple

from unit.sample_sites import SmallSite, small_site

from schedules.actions import Action
from schedules.processes import Fault
from schedules.simulated_ledger import HIDDEN
from schedules.simulation import Conditions
from waypost.sync.publisher_lease import Timing

KEYS = [
    *(f"p{n}.html" for n in range(10)),
    *(f"blog/{n}.html" for n in range(4)),
    *("index.html", "index.htm", "blog/index.html", "blog.html", "p0/index.html", "p0.htm"),
]
PAGES: list[str | None] = [None, None, "one", "one", "two", '<meta name=robots content="noindex">']
LOCALIZED = [
    "<html lang=en><link rel=alternate hreflang=de href=/p1.html><link rel=alternate hreflang=en href=/p0.html>",
    "<html lang=de><link rel=alternate hreflang=en href=/p0.html><link rel=alternate hreflang=de href=/p1.html>",
]
ARTICLES = [
    f'<title>{day}</title><meta property="article:published_time" content="2026-11-{day}T12:00:00Z">'
    for day in (18, 19, 20)
]
"""Pages of which two are news when a schedule begins, and are not after a day or two."""
CANONICAL = [f"<link rel=canonical href=/{path}>" for path in ("p0", "p0/", "p0.html", "blog/")]
ROBOTS = ["User-agent: *\nDisallow: /blog/\n", "User-agent: *\nDisallow: /p1\n", None, "User-agent: *\nAllow: /\n"]
SITES: list[dict[str, Any]] = [
    {"urls": 2, "sitemaps": 2, "lastmod": "none"},
    {"urls": 2, "sitemaps": 2, "lastmod": "none", "robots_sitemaps": True},
    {"urls": 3, "sitemaps": 2, "lastmod": "content", "state": "x"},
    {"urls": 2, "sitemaps": 3, "groups": {"blog": ["/blog/"]}, "lastmod": "none"},
    {"urls": 4, "sitemaps": 3, "lastmod": "none", "formats": ["xml", "text"]},
    {"urls": 3, "sitemaps": 2, "formats": ["xml", "html"], "lastmod": "content", "state": "x"},
    {"urls": 3, "sitemaps": 2, "gzip": True, "lastmod": "none"},
    {"urls": 2, "sitemaps": 2, "drop_html": True, "trailing_slash": "never", "lastmod": "none"},
    {"urls": 3, "sitemaps": 2, "news": {"name": "Times", "language": "en"}, "lastmod": "content", "state": "x"},
    {"urls": 3, "sitemaps": 2, "alternates": True, "lastmod": "none", "localized": True},
    {"urls": 3, "sitemaps": 3, "drop_html": None, "trailing_slash": None, "lastmod": "content", "state": "x"},
]
CHANGES: list[dict[str, Any]] = [
    {"name": "map"},
    {"groups": {"p": ["/p"]}},
    {"exclude": ["/blog/"]},
    {"lastmod": "content", "state": "x"},
    {"formats": ["xml", "html"]},
    {"robots_sitemaps": True},
    {"gzip": True},
]
ENGLISH = {"name": "sitemap-en"}
FAULTS = [each for each in Fault if each not in (Fault.NONE, Fault.OVERSLEPT)]
_LOST_ANSWERS = [Fault.DROPPED, Fault.APPLIED, Fault.LATE, Fault.CRASH, Fault.CRASH_APPLIED, Fault.CRASH_LATE]
_WRITES = [
    ("PUT", "site/"),
    ("PUT", "site/"),
    ("PUT", "state/manifest"),
    ("PUT", "state/manifest"),
    ("DELETE", "site/"),
]
_LAST = -1
"""The process that was started last."""
_PAUSES_IN_A_RUN = [2.0, 10.0, 70.0, 1_000.0, 4_000.0, 8_000.0]
"""Seconds; the longest outlast a call of the function, a run's lease as publisher, and its lease as builder."""
_PAGES_IN_TWO_READS = 1_024
"""The first read of a page asks for 16 KiB: the pages here are longer than the bytes that it gets then."""


class Schedule(NamedTuple):
    """A seed's conditions and actions."""

    conditions: Conditions
    actions: tuple[Action, ...]


def schedule(seed: int) -> Schedule:
    """The schedule of a seed."""
    return _Generator(random.Random(seed)).schedule()


@lru_cache(maxsize=2_000)
def _site(described: str) -> SmallSite:
    return small_site(**eval(described))


class _Generator:
    """Draws one schedule."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._values = dict(chance.choice(SITES))
        self._is_localized = self._values.pop("localized", False)
        self._has_robots = chance.random() < 0.3
        self._has_settings = chance.random() < 0.25
        self._has_faults = chance.random() < 0.6
        self._loses = chance.random() < 0.3
        self._is_tampered = chance.random() < 0.2
        self._has_runs = chance.random() < 0.3
        self._damages = chance.random() < 0.08
        self._has_days = chance.random() < 0.3
        self._has_messages = chance.random() < 0.5
        self._keys = chance.sample(KEYS, chance.randrange(2, 11))

    def schedule(self) -> Schedule:
        chance = self._chance
        actions = [self._upload(times=0) for _ in range(chance.randrange(1, 8))]
        if chance.random() < 0.85:
            actions += [Action("rebuild", (0, None)), Action("step", (0, 3_000))]
        is_about_a_run = self._has_runs and chance.random() < 0.4
        is_about_writes = self._has_faults and not is_about_a_run and chance.random() < 0.4
        if is_about_a_run:
            actions += [*(self._upload() for _ in range(chance.randrange(4))), self._execute()]
        for _ in range(chance.randrange(3, chance.choice([8, 12, 20, 40]))):
            if is_about_writes and chance.random() < 0.4:
                actions += self._fault_at_a_write()
            else:
                actions += self._actions_beside_a_run() if is_about_a_run else self._actions()
        return Schedule(self._conditions(), tuple(actions))

    def _conditions(self) -> Conditions:
        chance = self._chance
        versions = [self._values]
        if self._has_settings:
            versions += [self._values | change for change in chance.sample(CHANGES, chance.choice([1, 1, 2]))]
        ledgers = [tuple(versions)]
        if chance.random() < 0.08:
            ledgers.append((self._values | ENGLISH,))
        sites = tuple(tuple(_site(repr(sorted_items(each))) for each in ledger) for ledger in ledgers)
        most = Timing().clock_skew / 2
        offsets = (0.0,) if chance.random() < 0.5 else tuple(chance.uniform(-most, most) for _ in range(4))
        return Conditions(
            tuple(ledgers),
            sites,
            offsets,
            has_content_etags=chance.random() < 0.6,
            page_size=chance.choice([1, 3, 100]),
            bytes_for_one=chance.choice([1, 1, 1, _PAGES_IN_TWO_READS]),
            has_publish_messages=self._has_messages,
            has_output_events=chance.random() < 0.3,
            has_daily_passes=chance.random() < 0.4,
            has_subscriber=chance.random() < 0.4,
            hidden=chance.choice([60.0, HIDDEN]),
        )

    def _actions(self) -> list[Action]:
        chance = self._chance
        draw = chance.random()
        if draw < 0.22:
            return [self._upload(), self._update()]
        if draw < 0.30:
            return [self._upload()]
        if draw < 0.38:
            return [self._update()]
        if draw < 0.60:
            return [Action("step", (chance.randrange(3), chance.choice([1, 2, 3, 5, 9, 40])))]
        if draw < 0.74:
            verb, stem = chance.choice([("PUT", "site/"), ("PUT", "state"), ("HEAD", "site/"), ("DELETE", "site/")])
            return [Action("step-until", (chance.randrange(3), verb, stem))]
        if draw < 0.78:
            return [Action("rebuild", (chance.randrange(2), chance.choice([None, None, 1, 2, 4])))]
        return self._rare_actions()

    def _actions_beside_a_run(self) -> list[Action]:
        """What happens during a distributed rebuild: mostly, the processes go on, and so the run comes to its end."""
        chance = self._chance
        draw = chance.random()
        if draw < 0.55:
            return [Action("step", (chance.randrange(3), chance.choice([3, 10, 20, 40, 80])))]
        if draw < 0.62 and self._has_settings:
            return [Action("use-settings", (0, chance.randrange(3)))]
        if draw < 0.72:
            return [self._upload(times=1), Action("update", (0, 9, 0, chance.random() < 0.5))]
        if draw < 0.77:
            return [Action("rebuild", (0, chance.choice([None, None, 2])))]
        if draw < 0.81:
            return [self._execute()]
        if draw < 0.86:
            return [Action("pass-time", (chance.choice(_PAUSES_IN_A_RUN),))]
        return self._rare_actions()

    def _rare_actions(self) -> list[Action]:
        chance = self._chance
        kinds: list[list[Action]] = [[Action("continue", (0, chance.choice([None, None, 1, 3])))], [self._time()]]
        if self._has_faults:
            kinds += [[self._fault()], [self._fault()], [Action("handle-failure", (0,))]]
            kinds += [self._fault_at_a_deletion()] if self._has_days else []
        if self._has_robots:
            text = chance.choice(ROBOTS)
            kinds.append([Action("upload", ("robots.txt", text, chance.choice([1, 1, 2]))), self._update()])
        if self._has_messages:
            kinds.append([Action("publish", (0,))])
        if self._has_settings:
            kinds.append([Action("use-settings", (0, chance.randrange(3)))])
        if self._is_tampered:
            kinds.append([Action("delete-output", (chance.randrange(20),)), self._update()])
            content = chance.choice(["<urlset/>", "<p>mine</p>", "not <well-formed"])
            kinds.append([Action("overwrite-output", (chance.randrange(20), content, chance.choice([0, 1])))])
        if self._has_runs:
            kinds += [[self._execute()], self._change_in_a_run()]
        if self._damages:
            damage = chance.choice([None, b"damaged"])
            kinds.append([Action("damage-records", (0, chance.randrange(9), damage))])
        if chance.random() < 0.1:
            kinds.append([Action("empty", ()), self._update()])
        return chance.choice(kinds)

    def _upload(self, times: int | None = None) -> Action:
        chance = self._chance
        articles = ARTICLES if "news" in self._values else ()
        pages = [
            *PAGES,
            *articles,
            *(LOCALIZED if self._is_localized else ()),
            *(CANONICAL if chance.random() < 0.1 else ()),
        ]
        if times is None:
            times = chance.choice([0, 1, 1, 2]) if self._loses else chance.choice([1, 1, 1, 2])
        return Action("upload", (chance.choice(self._keys), chance.choice(pages), times))

    def _update(self) -> Action:
        chance = self._chance
        return Action(
            "update", (chance.randrange(2), chance.choice([1, 2, 9]), chance.randrange(9), chance.random() < 0.2)
        )

    def _execute(self) -> Action:
        return Action("execute", (0, self._chance.randrange(1_000_000)))

    def _change_in_a_run(self) -> list[Action]:
        """A distributed rebuild, and an update of a page, which changes again before the run has read it or after."""
        chance = self._chance
        first = self._upload(times=1)
        second = Action("upload", (first.values[0], chance.choice(PAGES), chance.choice([0, 1])))
        steps = [Action("step", (chance.randrange(3), chance.choice([9, 20, 40, 80]))) for _ in range(2)]
        update = Action("update", (0, 9, 0, False))
        return [self._execute(), steps[0], first, update, Action("step", (chance.randrange(3), 80)), second, steps[1]]

    def _fault(self) -> Action:
        chance = self._chance
        return Action("fail", (chance.randrange(3), chance.choice(FAULTS), round(chance.uniform(0, 20), 1)))

    def _fault_at_a_write(self) -> list[Action]:
        """A process gets no answer to a write, dies at it or pauses before it, and another one works meanwhile.

        That one may find an object as it was before. Pauses are shorter than a margin or a lease, or longer.
        """
        chance, update = self._chance, Action("update", (0, 9, 0, False))
        key, before = chance.choice(self._keys), chance.choice(PAGES)
        is_back = chance.random() < 0.5
        begin = [Action("upload", (key, before, 1)), update, Action("step", (_LAST, 400))] if is_back else []
        begin += [Action("upload", (key, chance.choice([None, "one", "two"]), 1)), update]
        if not is_back and chance.random() < 0.3:
            begin = [Action("rebuild", (0, None))]
        until = [Action("step-until", (_LAST, *chance.choice(_WRITES))) for _ in range(chance.choice([1, 1, 2, 3]))]
        fault = Action("fail", (_LAST, chance.choice(_LOST_ANSWERS), round(chance.uniform(0, 20), 1)))
        second = Action("upload", (key, before, 1)) if is_back else self._upload(times=1)
        others = [second, update, Action("step", (_LAST, chance.choice([3, 9, 40, 90])))]
        pause = [Action("pass-time", (chance.choice([0.5, 5.0, 15.0, 50.0, 95.0, 130.0, 400.0]),))]
        middle = others + pause if chance.random() < 0.5 else pause + others
        end = Action("step", (chance.randrange(3), chance.choice([2, 9, 40])))
        return [*begin, *until, *([fault] if chance.random() < 0.7 else []), *middle, end]

    def _fault_at_a_deletion(self) -> list[Action]:
        """A page goes, its files are deleted a day later with a fault, and it comes back at about the same time."""
        chance = self._chance
        key, update = chance.choice(self._keys), Action("update", (0, 9, 0, False))
        return [
            Action("upload", (key, None, 1)),
            update,
            Action("step", (0, 300)),
            Action("pass-time", (90_000.0,)),
            Action("rebuild", (0, None)),
            Action("step-until", (0, "DELETE", "site/")),
            Action("fail", (0, chance.choice(FAULTS), round(chance.uniform(0, 20), 1))),
            Action("step", (0, chance.choice([5, 40, 400]))),
            Action("upload", (key, chance.choice(["one", "two"]), 1)),
            update,
            Action("step", (1, chance.choice([9, 400]))),
        ]

    def _time(self) -> Action:
        seconds = [0.5, 5.0, 25.0, 50.0, 70.0, 100.0, 400.0]
        if self._has_days:
            seconds += [3_700.0, 22_000.0, 90_000.0, 200_000.0]
        return Action("pass-time", (self._chance.choice(seconds),))


def sorted_items(values: dict[str, Any]) -> dict[str, Any]:
    """The same values in the order of their names."""
    return dict(sorted(values.items()))
