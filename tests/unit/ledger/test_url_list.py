"""The file of a ledger with the URLs that have no object."""

from __future__ import annotations

import msgspec
import pytest

from waypost.core.errors import LedgerError, NewerVersionError
from waypost.core.model import IndexChild, UrlEntry
from waypost.ledger import stored_files, url_list
from waypost.ledger.stored_files import UrlListFile
from waypost.ledger.url_list import ListedSource, UrlList

CHILD = IndexChild("https://example.org/blog.xml", "2026-01-03")
URLS = UrlList((ListedSource("urls", (UrlEntry("https://example.org/a"),)), ListedSource("blog", child=CHILD)))


def test_a_list_is_read_as_it_was_written() -> None:
    assert url_list.load(url_list.dump(URLS), "url-lists/x") == URLS


@pytest.mark.parametrize("data", [None, b"", b"\x93", url_list.dump(URLS)[:-3]])
def test_a_missing_or_damaged_list_is_an_error_that_names_its_file(data: bytes | None) -> None:
    with pytest.raises(LedgerError, match="url-lists/x"):
        url_list.load(data, "url-lists/x")


def test_a_list_of_a_newer_version_is_refused() -> None:
    newer = msgspec.msgpack.encode(UrlListFile(stored_files.URL_LIST_FORMAT, stored_files.VERSION + 1, b""))
    with pytest.raises(NewerVersionError, match="update Waypost"):
        url_list.load(newer, "url-lists/x")


def test_a_file_keeps_its_name_while_its_content_is_the_same() -> None:
    first = url_list.file_name(url_list.dump(URLS), "", lambda: "1")
    assert url_list.file_name(url_list.dump(URLS), first, lambda: "2") == first
    assert url_list.file_name(url_list.dump(UrlList()), first, lambda: "2").endswith("-2")


def test_an_index_lists_each_child_once() -> None:
    again = ListedSource("again", child=IndexChild(CHILD.loc))
    assert UrlList((*URLS.sources, again)).children == (CHILD,)
