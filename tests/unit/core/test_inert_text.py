import json

import pytest

from waypost.core.inert_text import inert, inert_json, inert_markdown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a::b ##x [c]\n  + d", "a::b ##x [c]\n  + d"),
        ("::error::x", "\\::error::x"),
        ("\t::set-output name=x::y", "\\t::set-output name=x::y"),
        ("first\n::stop-commands::x", "first\n\\::stop-commands::x"),
        ("###[group]", "###\\[group]"),
        ("\x1b[2J\r\x07", "\\x1b[2J\\r\\x07"),
        ("line\u2028::error::x", "line\\u2028::error::x"),
    ],
)
def test_a_printed_text_holds_no_command_of_a_runner_or_a_terminal(text: str, shown: str) -> None:
    assert inert(text) == shown
    assert inert(shown) == shown


def test_a_json_document_means_the_same() -> None:
    document = json.dumps({"loc": "https://example.org/?##[set-output name=version]x"}).encode()
    assert b"##[" not in inert_json(document)
    assert json.loads(inert_json(document)) == json.loads(document)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("set `name` to a|b", "set `name` to a\\|b"),
        ("@octocat/team", "&#64;octocat/team"),
        ("[x](https://evil.example/)", "\\[x\\](https://evil.example/)"),
        ("one\n\n# two", "one # two"),
    ],
)
def test_a_message_in_markdown_links_and_mentions_nothing(text: str, shown: str) -> None:
    assert inert_markdown(text) == shown
