"""Messages on standard error: colour where it is wanted, and progress only on a terminal."""

from __future__ import annotations

import io
from contextlib import redirect_stderr
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner
from fake_stores import VirtualClock
from unit.cli.terminals import Terminal
from unit.validate.given import Given

from waypost.cli import terminal
from waypost.cli.terminal import Progress, ReadingProgress, pause
from waypost.validate.file_validator import FileResult

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def printed_on(stream: io.StringIO, message: str) -> str:
    """What a stream gets if a message is said in red."""
    with redirect_stderr(stream):
        terminal.say(message, "red")
    return stream.getvalue()


def test_only_the_label_of_a_message_is_coloured() -> None:
    printed = printed_on(Terminal(), "error: why: not")
    assert printed == click.style("error:", fg="red", bold=True) + " why: not\n"


def test_there_is_no_colour_with_no_color_or_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    assert printed_on(io.StringIO(), "error: why") == "error: why\n"
    monkeypatch.setenv("NO_COLOR", "")
    assert printed_on(Terminal(), "error: why") == "error: why\n"


def test_a_dumb_terminal_gets_neither_colour_nor_a_line_that_is_redrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert printed_on(Terminal(), "error: why") == "error: why\n"
    stream = Terminal()
    with redirect_stderr(stream), Progress() as progress:
        progress("URLs checked", 1_000, 2_000, at_once=True)
    assert stream.getvalue() == ""


def test_an_answer_has_no_colour_in_a_pipe() -> None:
    @click.command()
    def command() -> None:
        terminal.echo(click.style("+ a", fg="green"))

    assert CliRunner().invoke(command).stdout == "+ a\n"


def test_work_that_takes_long_is_shown_on_a_terminal_only_and_the_line_is_removed() -> None:
    stream, clock = Terminal(), VirtualClock()
    with redirect_stderr(io.StringIO()):
        in_a_pipe = Progress(clock=clock.time)
    with redirect_stderr(stream), Progress(clock=clock.time) as on_a_terminal:
        for done, seconds, shown in ((1, 0.9, ""), (2, 0.2, "2 of 9"), (3, 0.09, "2 of 9"), (4, 0.02, "4 of 9")):
            clock.sleep(seconds)
            in_a_pipe("hidden", done, None)
            on_a_terminal("URLs checked", done, 9)
            assert stream.getvalue().rpartition("URLs checked ")[2] == shown
    assert stream.getvalue() == "\r\x1b[KURLs checked 2 of 9\r\x1b[KURLs checked 4 of 9\r\x1b[K"


class Alarm:
    """A timer that ends when the test says so."""

    def __init__(self, seconds: float, action: Callable[[], None]) -> None:
        self.seconds, self.action, self.state = seconds, action, "made"
        self.daemon = False

    def start(self) -> None:
        self.state = "started"

    def cancel(self) -> None:
        self.state = "cancelled"


def test_after_a_second_there_is_a_line_although_no_step_is_done() -> None:
    alarms = list[Alarm]()

    def alarm(seconds: float, action: Callable[[], None]) -> Any:
        alarms.append(Alarm(seconds, action))
        return alarms[-1]

    stream = Terminal()
    with redirect_stderr(stream), Progress(alarm) as progress:
        assert (alarms[0].seconds, alarms[0].state, alarms[0].daemon) == (1, "started", True)
        progress("URLs asked", 0, 9)
        assert stream.getvalue() == ""
        alarms[0].action()
        alarms[0].action()
        assert stream.getvalue() == "\r\x1b[KURLs asked 0 of 9"
    assert alarms[0].state == "cancelled"
    alarms[0].action()
    assert stream.getvalue().endswith("of 9\r\x1b[K")
    with redirect_stderr(io.StringIO()), Progress(alarm):
        assert alarms[1].state == "made"


def test_what_is_shown_at_once_does_not_wait_and_has_its_unit() -> None:
    stream = Terminal()
    with redirect_stderr(stream):
        progress = Progress()
        progress("reading", 0, None, " kB", at_once=True)
        progress("reading", 5, None, " kB", at_once=True)
    assert stream.getvalue() == "\r\x1b[Kreading\r\x1b[Kreading 5 kB"


def test_a_line_that_was_never_shown_is_not_removed() -> None:
    stream = Terminal()
    with redirect_stderr(stream), Progress():
        pass
    assert stream.getvalue() == ""


def test_a_pause_before_another_attempt_is_announced(capsys: pytest.CaptureFixture[str]) -> None:
    pause(0)
    assert capsys.readouterr().err == "a subscriber could not be notified; the next attempt is in 0 seconds\n"


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
    stream, clock = Terminal(), VirtualClock()
    with redirect_stderr(stream):
        progress = ReadingProgress(clock.time)
        index = FileResult("index.xml", "", "sitemapindex", entries=2)
        files = progress.shown(iter([index, *(FileResult(f"{n}.xml", "", entries=1_000) for n in range(2))]))
        assert [next(files).file, next(files).file] == ["index.xml", "0.xml"]
        clock.sleep(1)
        progress.on_read(Given((), "x" * 50 + "pages.xml"), 2_500_999)
        assert stream.getvalue() == f"\r\x1b[KURLs checked 1,000, reading {'x' * 31}pages.xml 2,500 kB"
        assert list(files) == [FileResult("1.xml", "", entries=1_000)]
    assert stream.getvalue().endswith("\r\x1b[K")
