"""The answer of `check-live` in a file."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from waypost.core.errors import SourceError
from waypost.core.finding_types import Severity
from waypost.live.live_answer import CheckLiveAnswer, read_live_answer
from waypost.validate import Finding

FOUND = Finding("live-missing", Severity.ERROR, "sitemap.xml", 3, "https://example.org/a", "404", "remove it", "Google")
ANSWER = CheckLiveAnswer(1, 9, 9, 8, {"200": 7}, {}, 1, 0, 0, {"live-missing": 1}, [FOUND], [])


def written(path: Path, answer: object) -> Path:
    path.write_bytes(msgspec.json.encode(answer))
    return path


def test_an_answer_is_read_back(tmp_path: Path) -> None:
    assert read_live_answer(written(tmp_path / "live.json", ANSWER)) == ANSWER


def test_a_code_of_another_version_is_an_error(tmp_path: Path) -> None:
    path = written(
        tmp_path / "live.json", msgspec.structs.replace(ANSWER, findings=[msgspec.structs.replace(FOUND, code="new")])
    )
    with pytest.raises(SourceError, match="another version of Waypost: it has new"):
        read_live_answer(path)


@pytest.mark.parametrize("answer", [{}, [], {"findings": 1}])
def test_what_is_no_answer_is_an_error(tmp_path: Path, answer: object) -> None:
    with pytest.raises(SourceError, match="is not what `waypost check-live --json` prints"):
        read_live_answer(written(tmp_path / "live.json", answer))


def test_a_file_in_another_encoding_is_no_answer(tmp_path: Path) -> None:
    (tmp_path / "live.json").write_bytes(b'{"findings": "\xff"}')
    with pytest.raises(SourceError, match="is not what `waypost check-live --json` prints"):
        read_live_answer(tmp_path / "live.json")


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be read"):
        read_live_answer(tmp_path / "live.json")
