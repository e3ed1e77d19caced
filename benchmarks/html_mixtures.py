"""Searches mixtures of tags for one whose time to parse grows faster than its length, though no bound cuts it.

`python benchmarks/html_mixtures.py --seconds 600 --seed 1`
"""

import argparse
import random
import time

from waypost.rules import html_tree
from waypost.rules.html_bounds import bounded_length

_NAMES = (
    "a b i u p div span table tr td th tbody thead caption colgroup col select option optgroup button form input svg "
    "math g foreignObject desc title mi mtext annotation-xml template script style noscript textarea li ul dl dt dd h1 "
    "ruby rt rp rb rtc frameset frame body html head applet marquee object nobr font iframe image hr br pre listing "
    "xmp details summary dialog main keygen menu datalist hgroup center address x-y"
)
_OTHERS = ("x", " ", "&amp;", "<!---->", "\0", "<![CDATA[x]]>", "\n")
_SMALL, _LARGE = 1_000, 4_000
_NOISE_SECONDS, _MOST_GROWTH, _MOST_SECONDS = 0.08, 7, 0.5
"""Four times the text may take so many times the time; what takes less than the noise is not compared."""


def main() -> None:
    """Print each mixture that is slow, and exit with 1 if there is one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    generator, end, tried, found = random.Random(given.seed), time.monotonic() + given.seconds, 0, 0
    while time.monotonic() < end:
        tried += 1
        before, unit = _mixture(generator, 0), _mixture(generator, 1)
        if slow := _slowness(before, unit):
            found += 1
            print(f"{slow}: {before!r} and then, repeated, {unit!r}", flush=True)
    print(f"{tried:,} mixtures of seed {given.seed}, {found} of them slow")
    raise SystemExit(1 if found else 0)


def _mixture(generator: random.Random, least: int) -> str:
    return "".join(_token(generator) for _ in range(generator.randint(least, 4)))


def _token(generator: random.Random) -> str:
    name = generator.choice(_NAMES.split())
    tags = (f"<{name}>", f"</{name}>", generator.choice(_OTHERS), f"<{name} a=1>", f"<{name}/>")
    return generator.choices(tags, weights=(62, 20, 10, 4, 4))[0]


def _slowness(before: str, unit: str) -> str:
    """How long the mixture takes, if that grows too fast up to the bounds; else nothing."""
    small, large = (_seconds(before, unit, count) for count in (_SMALL, _LARGE))
    if large < _NOISE_SECONDS or large < _MOST_GROWTH * small:
        return ""
    page = _page(before, unit, 4_194_304 // len(unit))
    most = _timed(page[: bounded_length(page)])
    return f"{small:.3f} s, {large:.3f} s and at most {most:.3f} s" if most > _MOST_SECONDS else ""


def _seconds(before: str, unit: str, count: int) -> float:
    return _timed(_page(before, unit, count))


def _page(before: str, unit: str, count: int) -> bytes:
    return ("<!doctype html><body>" + before + unit * count).encode()


def _timed(page: bytes) -> float:
    started = time.process_time()
    html_tree.parse(page)
    return time.process_time() - started


if __name__ == "__main__":
    main()
