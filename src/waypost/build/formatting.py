"""Parts of what people read: numbers with their nouns, rows of a summary, names, warnings."""

from collections.abc import Mapping, Sequence

from waypost.core.model import SiteWarning

_MAX_NAMES = 4


def warning_text(warning: SiteWarning) -> str:
    """A warning in one line: the message, how many files it is about, and some of them."""
    if not warning.examples:
        return warning.message
    examples = [f"{each.key} ({each.detail})" if each.detail else each.key for each in warning.examples]
    more = ["…"] if warning.count > len(examples) else []
    return f"{warning.message} [{count_noun(warning.count, 'file')}: {', '.join(examples + more)}]"


def count_noun(number: int, noun: str) -> str:
    """A number with its noun, in the plural where it must be."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def row(label: str, text: str) -> str:
    """A line of a summary."""
    return f"  {label:<10} {text}"


def names(names: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    if not names:
        return "nothing"
    first = ", ".join(names[:_MAX_NAMES])
    return first if len(names) <= _MAX_NAMES else f"{first} and {len(names) - _MAX_NAMES:,} more"


def totals(url_count: int, sitemap_count: int, root_sitemaps: str) -> str:
    """How many URLs there are, in how many sitemaps, and which file to submit."""
    submit = f"; the one to submit is {root_sitemaps}" if root_sitemaps else ""
    return f"{count_noun(url_count, 'URL')} in {count_noun(sitemap_count, 'sitemap')}{submit}"


def counts(count_by_reason: Mapping[str, int]) -> str:
    """Numbers by reason, in a line."""
    return ", ".join(f"{count:,} {reason}" for reason, count in count_by_reason.items()) or "nothing"
