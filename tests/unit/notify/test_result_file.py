"""The file of a publication's changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from waypost.core.errors import AnnounceError
from waypost.core.model import Changes
from waypost.notify import result_file
from waypost.notify.base import PublishResult

if TYPE_CHECKING:
    from pathlib import Path

RESULT = PublishResult(
    "0123", "https://example.org/", ("sitemap.xml",), ("old.xml",), Changes(("a",), ("b",), ("c",), ("d",))
)
GOLDEN = (
    b'{"format":"waypost-changes","version":1,"result":{"id":"0123","base_url":"https://example.org/",'
    b'"written":["sitemap.xml"],"removed":["old.xml"],'
    b'"changes":{"added":["a"],"removed":["b"],"lastmod_changed":["c"],"metadata_changed":["d"]}}}\n'
)


def test_a_result_is_stored_in_this_form() -> None:
    assert result_file.dump(RESULT) == GOLDEN
    assert result_file.load(GOLDEN, "file") == RESULT


def test_a_result_is_read_from_the_file_that_it_was_written_to(tmp_path: Path) -> None:
    result_file.write(tmp_path / "changes.json", RESULT)
    assert result_file.read(tmp_path / "changes.json") == RESULT


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"format":"waypost-changes","version":2}', "file has the version 2, which this release cannot read"),
        (b'{"format":"other","version":1}', "file is no file of changes that Waypost has written"),
        (b"no JSON", "file is no file of changes"),
        (b'{"format":"waypost-changes","version":1}', "file is no file of changes"),
    ],
)
def test_another_file_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(AnnounceError, match=message):
        result_file.load(data, "file")


def test_a_file_that_cannot_be_read_or_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(AnnounceError, match=r"cannot be read from .*none: No such file"):
        result_file.read(tmp_path / "none")
    (tmp_path / "file").touch()
    with pytest.raises(AnnounceError, match=r"cannot be written to .*changes: "):
        result_file.write(tmp_path / "file" / "changes", RESULT)
