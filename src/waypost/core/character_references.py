"""Decodes the character references of HTML, such as `&amp;` and `&#228;`."""

import html
import re

_MOST_DIGITS = 8
"""No character has a number of so many digits (HTML, "Numeric character reference end state")."""
_LONG_NUMBER = re.compile(rf"&#([0-9]{{{_MOST_DIGITS},}})")


def unescape(text: str) -> str:
    """The text with each character reference decoded; Python's own function raises ValueError for a long number."""
    return html.unescape(_LONG_NUMBER.sub(_shortened, text) if "&#" in text else text)


def _shortened(reference: re.Match[str]) -> str:
    """A reference with no more digits than show that it names no character; leading zeros do not count."""
    return f"&#{reference[1].lstrip('0')[:_MOST_DIGITS] or '0'}"
