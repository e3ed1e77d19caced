"""Makes text inert that is printed where a workflow's runner, or a terminal, may act on it.

The runner takes `::command::` at the beginning of a line, white space aside, and `##[command]` anywhere in it
(actions/runner, `ActionCommand.cs`). A terminal takes control characters.
"""

import re

from waypost.core.model import printable

_COMMAND = re.compile(r"^(\s*):(?=:)", re.MULTILINE)
_OLD_COMMAND = "##["


def inert(text: str) -> str:
    """A text of one or more lines, in which commands have a backslash and control characters are escapes."""
    return without_commands(visible(text))


def visible(text: str) -> str:
    """A text of one or more lines in visible characters: control characters are escapes."""
    return "\n".join(map(printable, text.split("\n")))


def without_commands(text: str) -> str:
    """A text of one or more lines in which commands have a backslash; colours are kept."""
    return _COMMAND.sub(r"\1\\:", text).replace(_OLD_COMMAND, "##\\[")


def inert_json(document: bytes) -> bytes:
    """A JSON document in which no string holds a command; it means the same."""
    return document.replace(_OLD_COMMAND.encode(), b"##\\u005b")


def inert_markdown(text: str) -> str:
    """A text as one line of Markdown that shows no link, image or HTML, and mentions nobody; code spans are kept."""
    line = " ".join(text.split())
    for character, escaped in (("&", "&amp;"), ("<", "&lt;"), ("@", "&#64;"), ("[", "\\["), ("]", "\\]"), ("|", "\\|")):
        line = line.replace(character, escaped)
    return line
