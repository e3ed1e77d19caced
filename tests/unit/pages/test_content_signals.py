import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.build.site_checks import content_signal_problems


@pytest.mark.parametrize(
    "text",
    [
        "",
        "User-agent: *\nContent-Signal: search=yes, ai-input=no, ai-train=no\nAllow: /\n",
        "User-agent: *\nAllow: /\ncontent-signal : SEARCH=Yes,ai-train = no # a comment\n",
        "User-agent: *\nContent-Signal: search=yes,ai-train=no,use=reference\n",
        "User-agent: *\nContent-Signal: /blog/ ai-train=no\n",
    ],
)
def test_signals_that_crawlers_understand_are_no_problem(text: str) -> None:
    assert content_signal_problems(text.encode()) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Content-Signal: search=maybe", ["search is yes or no"]),
        ("Content-Signal: use=yes", ["use is immediate or reference or full"]),
        ("Content-Signal:", ["nothing is no signal; there are search, ai-input, ai-train, use"]),
        ("Content-Signal: ai_train=no", ["ai_train is no signal; there are search, ai-input, ai-train, use"]),
        ("Content-Signals: search=yes", ["the name of the line is Content-Signal"]),
        ("Content-Signal: search=1, ai-input=0", ["search is yes or no", "ai-input is yes or no"]),
    ],
)
def test_what_crawlers_do_not_understand_is_named_with_its_line(line: str, expected: list[str]) -> None:
    assert content_signal_problems(f"User-agent: *\n{line}\n".encode()) == [
        f"`{line}`: {problem}" for problem in expected
    ]


def test_a_signal_before_any_crawler_has_no_effect() -> None:
    line = "Content-Signal: search=yes"
    found = content_signal_problems(f"{line}\nUser-agent: *\n{line}\n".encode())
    assert found == [f"`{line}`: it belongs below a User-agent line"]


def test_a_long_line_is_shown_in_part() -> None:
    (found,) = content_signal_problems(b"User-agent: *\nContent-Signal: " + b"x" * 100_000)
    assert len(found) < 400


@given(
    st.lists(st.sampled_from(["Content-Signal:", "user-agent:", " ", "/a", "search", "=", "yes", ",", "\n", "\x00"]))
)
def test_no_robots_txt_raises(parts: list[str]) -> None:
    content_signal_problems("".join(parts).encode())
