"""Submissions for people: a table of text, and one of Markdown for the summary of a job."""

from collections.abc import Iterator, Sequence

from waypost.announce.submission import Submission
from waypost.announce.submission_table import COLUMNS, cells
from waypost.core.inert_text import inert_markdown
from waypost.core.model import printable

_WHERE = {"google": "Sitemaps in Search Console", "bing": "Sitemaps in Bing Webmaster Tools"}


def table_lines(submissions: Sequence[Submission]) -> Iterator[str]:
    """The lines of a table, whose columns are as wide as what is in them."""
    rows = [COLUMNS, *(tuple(map(printable, cells(each))) for each in submissions)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()


def problems(submissions: Sequence[Submission]) -> list[str]:
    """What went wrong, each with the engine and the sitemap."""
    return [f"{each.engine}, {each.sitemap}: {each.problem}" for each in submissions if each.problem]


def engine_errors(submissions: Sequence[Submission]) -> list[str]:
    """The sitemaps in which an engine has found errors, and where it says which."""
    return [
        f"{each.engine}, {each.sitemap}: the engine reports errors in it; {_WHERE[each.engine]} names them"
        for each in submissions
        if each.status and each.status.has_errors
    ]


def summary_markdown(submissions: Sequence[Submission]) -> str:
    """A heading, a table, and what went wrong."""
    rows = ["| " + " | ".join(map(inert_markdown, cells(each))) + " |" for each in submissions]
    head = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    failed = [f"- {inert_markdown(each)}" for each in (*problems(submissions), *engine_errors(submissions))]
    return "\n".join(["## Sitemaps at search engines", "", *head, *rows, "", *failed]) + "\n"
