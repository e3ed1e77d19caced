"""What a rule is: its code, how serious it is, what it says to users, and where it comes from."""

from msgspec import Struct

from waypost.core.severity import Severity

ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE


class Rule(Struct, frozen=True):
    """A rule of the protocol, or of a search engine.

    `meaning` and `advice` are format strings for what was found, and `example` is input that breaks the rule. `title`
    is a heading of all that was found, where `meaning` is none.
    """

    code: str
    severity: Severity
    meaning: str
    advice: str
    source: str
    example: str
    title: str = ""


PROTOCOL = "sitemaps.org 0.9"
LOC = f"{PROTOCOL}, loc"
LASTMOD = f"{PROTOCOL}, lastmod"
LOCATION = f"{PROTOCOL}, Sitemap file location"
INDEX = f"{PROTOCOL}, Using Sitemap index files"
ESCAPING = f"{PROTOCOL}, Entity escaping"
XML = f"{PROTOCOL}, XML tag definitions"
SCHEMA = f"{PROTOCOL}, schema"
"""The source of the rules that only a validating XML parser would enforce."""
GOOGLE = "Google, Build and submit a sitemap"
