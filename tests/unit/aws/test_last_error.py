"""The file of the last error: kept until it is cleared, and never the cause of another failure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unit.aws.memory_function import log_lines
from unit.sample_sites import RecordingStore

from waypost.aws.last_error import LastErrorFile
from waypost.build.status import LastError
from waypost.core.errors import SourceError, StoreError

if TYPE_CHECKING:
    import pytest

ERROR = LastError("2026-11-21T12:00:00Z", "it broke", "SourceError", "request-1")


class FailingStore(RecordingStore):
    """A store that accepts no change."""

    def write(self, name: str, content: bytes) -> None:
        del content
        raise StoreError(f"cannot write {name}")

    def remove(self, name: str) -> None:
        raise StoreError(f"cannot remove {name}")


def test_the_newest_error_is_read_until_it_is_cleared() -> None:
    file = LastErrorFile(RecordingStore())
    assert file.read() is None
    file.save(StoreError("it broke before"), "request-0", "2026-11-20T12:00:00Z")
    file.save(SourceError("it broke"), "request-1", "2026-11-21T12:00:00Z")
    assert file.read() == ERROR
    file.clear("request-2")
    assert file.read() is None


def test_a_damaged_file_is_a_warning_and_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    file = LastErrorFile(RecordingStore({"last-error.json": b"{"}))
    assert file.read() is None
    (line,) = log_lines(capsys)
    assert (line["level"], "last-error.json cannot be read" in line["message"]) == ("WARNING", True)


def test_a_store_that_fails_is_logged_with_the_request_and_not_raised(capsys: pytest.CaptureFixture[str]) -> None:
    file = LastErrorFile(FailingStore())
    file.save(SourceError("it broke"), "request-1", "2026-11-21T12:00:00Z")
    file.clear("request-2")
    assert [(line["level"], line["message"], line["request_id"]) for line in log_lines(capsys)] == [
        ("ERROR", "it broke", "request-1"),
        ("ERROR", "the error could not be saved: cannot write last-error.json", "request-1"),
        ("ERROR", "the last error could not be removed: cannot remove last-error.json", "request-2"),
    ]
