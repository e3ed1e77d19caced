"""The line on a terminal while sitemaps are read."""

from __future__ import annotations

from contextlib import redirect_stderr

from unit.cli.terminals import Terminal
from unit.validate.given import Given

from waypost.cli.terminal import ReadingProgress
from waypost.validate import FileResult

URL = "https://example.org/sitemaps/pages.xml"


def test_a_file_at_a_url_is_named_before_its_server_answers() -> None:
    stream = Terminal()
    with redirect_stderr(stream):
        ReadingProgress().on_read(Given((), URL, URL), 0)
    assert stream.getvalue() == "\r\x1b[KURLs checked 0, reading pages.xml"


def test_a_local_file_is_not_named_unless_it_takes_long() -> None:
    stream = Terminal()
    with redirect_stderr(stream):
        ReadingProgress().on_read(Given((), "sitemaps/pages.xml"), 0)
    assert stream.getvalue() == ""


def test_the_line_says_how_much_of_a_file_was_read_and_is_removed_after_the_last_file() -> None:
    stream = Terminal()
    with redirect_stderr(stream):
        progress = ReadingProgress()
        index = FileResult("index.xml", "", "sitemapindex", entries=2)
        files = progress.shown(iter([index, *(FileResult(f"{n}.xml", "", entries=1_000) for n in range(2))]))
        assert [next(files).file, next(files).file] == ["index.xml", "0.xml"]
        while not stream.getvalue():
            progress.on_read(Given((), "x" * 50 + "pages.xml"), 2_500_999)
        assert stream.getvalue() == f"\r\x1b[KURLs checked 1,000, reading {'x' * 31}pages.xml 2,500 kB"
        assert list(files) == [FileResult("1.xml", "", entries=1_000)]
    assert stream.getvalue().endswith("\r\x1b[K")
