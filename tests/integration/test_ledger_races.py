"""Writers at once over a small bucket whose pages flip between few contents: many schedules, each from a seed."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from storms import Storm


def flurry(seed: int) -> Storm:
    """Three writers at most, mostly over keys that others are at too; now and then one ends in the middle."""
    chance = random.Random(seed)
    keys = chance.sample(["a.html", "b.html", "c.html", "d.html", "e.html", "index.html", "index.htm"], 4)
    dated: dict[str, Any] = chance.choice([{"lastmod": "none"}, {"lastmod": "content", "state": "x"}])
    storm = Storm({"urls": 2, **dated, "robots_sitemaps": chance.random() < 0.3}, keys[: chance.randrange(5)])
    if chance.random() < 0.8:
        storm.rebuild_now()
    for _ in range(chance.randrange(5, 60)):
        act = chance.random()
        if act < 0.25:
            storm.change(chance.choice(keys), chance.choice([None, "one", "two"]), times=chance.choice([1, 1, 1, 2]))
            storm.start_update(chance)
        elif act < 0.3:
            storm.start_rebuild()
        elif act < 0.33:
            storm.end_one(chance, is_crash=chance.random() < 0.5)
        else:
            storm.step_one(chance, chance.randrange(1, 10))
    return storm


@settings(max_examples=2_000)
@given(seed=st.integers(0, 2**32))
def test_writers_at_once_publish_what_a_full_build_would(seed: int) -> None:
    flurry(seed).come_to_rest()
