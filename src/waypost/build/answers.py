"""What the answers of all commands share: JSON, problems as a part of an answer, and words of their text.

Each answer is declared beside what makes it. The names of its fields are a contract: `docs/schemas/` has the JSON
Schema of each answer. A field whose type allows UNSET, or that has a default where defaults are omitted, is absent
where it does not apply. The same site gives the same bytes.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from waypost.core.errors import ConfigurationError, RenderError, SourceError, StateError, StoreError, WaypostError
from waypost.core.finding_types import Severity
from waypost.core.model import SiteWarning

SCHEMA_VERSION = 1
"""The version of the answers that have one: it rises when a field is renamed, removed, or gets another meaning."""
_MAX_NAMES = 4
T = TypeVar("T")
KINDS: dict[str, type[WaypostError]] = {
    "settings": ConfigurationError,
    "site": SourceError,
    "templates": RenderError,
    "store": StoreError,
    "state": StateError,
}
"""The kinds of problems of a site, each with the class of its errors."""
_DENIED = "allow this access in the policies of the role, of the bucket and of its KMS key"
_REGION = "use the region of the bucket: AWS_DEFAULT_REGION on the command line, the stack's region for the function"
_CREDENTIALS = "provide valid credentials of AWS"
_NO_BUCKET = "correct the name of the bucket, or create it"
_ADVICE = {
    "AccessDenied": _DENIED,
    "(403)": _DENIED,
    "403:": _DENIED,
    "NoSuchBucket": _NO_BUCKET,
    "PermanentRedirect": _REGION,
    "AuthorizationHeaderMalformed": _REGION,
    "IllegalLocationConstraintException": _REGION,
    "(301)": _REGION,
    "301:": _REGION,
    "InvalidAccessKeyId": _CREDENTIALS,
    "SignatureDoesNotMatch": _CREDENTIALS,
    "ExpiredToken": _CREDENTIALS,
    "Unable to locate credentials": _CREDENTIALS,
}
"""What to do about an error whose message has one of these codes (S3 API, "Error responses"; of HEAD, the status)."""


def to_json(answer: object, indent: int = 2) -> bytes:
    """An answer, or a list of them, as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(answer), indent=indent)


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


def severity_counts(count: Callable[[Severity], int]) -> str:
    """How many errors, warnings and notes there are, by a count of each."""
    return ", ".join(count_noun(count(severity), severity.value) for severity in Severity)


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


class Problem(Struct, frozen=True):
    """Something that is wrong: where, what it is, and what to do.

    `kind` is one of `settings`, `site`, `templates`, `store`, `state`, `queue` and `events`.
    """

    kind: str
    where: str
    problem: str
    what_to_do: str


class Problems:
    """Collects the problems of one answer."""

    def __init__(self) -> None:
        self.found: list[Problem] = []

    def attempt(self, where: str, step: Callable[[], T]) -> T | None:
        """What a step returns, or None if it fails; then the problem is collected, and it is at `where`."""
        try:
            return step()
        except (WaypostError, OSError) as error:
            self.add(where, error)
            return None

    def add(self, where: str, error: Exception, what_to_do: str = "") -> None:
        """Collect the problems of an error, each once; `what_to_do` replaces the usual advice."""
        found = problems_of(where, error)
        found = [replace(problem, what_to_do=what_to_do) for problem in found] if what_to_do else found
        self.found += [problem for problem in found if problem not in self.found]


def problems_of(where: str, error: Exception) -> list[Problem]:
    """The problems that an error reports: one for each issue of the settings, otherwise one, which is at `where`."""
    if isinstance(error, ConfigurationError):
        return [
            Problem(
                "settings",
                f"{issue.where}:{issue.line}" if issue.line else issue.where,
                f"{issue.key}: {issue.problem}",
                f"{error.what_to_do}: {issue.allowed}" if issue.allowed else error.what_to_do,
            )
            for issue in error.issues
        ]
    text = (error.strerror if isinstance(error, OSError) else None) or str(error)
    kind = next((kind for kind, each in KINDS.items() if isinstance(error, each)), "site")
    default = error.what_to_do if isinstance(error, WaypostError) else SourceError.what_to_do
    return [Problem(kind, where, text, advice(text) or default)]


def advice(text: str) -> str:
    """What to do about an error of AWS with this message; empty if its code is not known."""
    return next((advice for code, advice in _ADVICE.items() if code in text), "")


def problem_lines(problems: Sequence[Problem]) -> Iterator[str]:
    """What is wrong, where, and what to do."""
    for each in problems:
        yield row("problem", f"{each.where}: {each.problem}")
        yield row("", each.what_to_do)
