"""The answer of `check-live` in a file."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from waypost.core.errors import SourceError
from waypost.core.finding_types import Severity
from waypost.live.live_answer import CheckLiveAnswer, read_live_answer
from waypost.validate import Finding

FOUND = Finding("live-missing", Severity.ERROR, "sitemap.xml", 3, "https://example.org/a", "404", "remove it", "Google")
ANSWER = CheckLiveAnswer(1, 9, 9, 8, {"200": 7}, {}, 1, 0, 0, {"live-missing": 1}, [FOUND], [])
NO_ANSWER = "is not what `waypost check-live --json` prints"
OTHER = msgspec.json.encode(replace(ANSWER, findings=[replace(FOUND, code="new")]))


def test_an_answer_is_read_back(tmp_path: Path) -> None:
    (tmp_path / "live.json").write_bytes(msgspec.json.encode(ANSWER))
    assert read_live_answer(tmp_path / "live.json") == ANSWER


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (OTHER, "another version of Waypost: it has new"),
        *(
            (content, "is not what `waypost check-live --json` prints")
            for content in (b"{}", b"[]", b'{"findings": 1}')
        ),
        (b'{"findings": "\xff"}', "is not what `waypost check-live --json` prints"),
        (None, "cannot be read"),
    ],
)
def test_what_is_no_answer_is_an_error(tmp_path: Path, content: bytes | None, problem: str) -> None:
    if content is not None:
        (tmp_path / "live.json").write_bytes(content)
    with pytest.raises(SourceError, match=problem):
        read_live_answer(tmp_path / "live.json")
