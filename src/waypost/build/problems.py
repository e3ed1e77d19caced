"""Makes problems part of an answer, so that each question about a site has one."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from waypost.build.formatting import row
from waypost.core.errors import ConfigurationError, RenderError, SourceError, StateError, StoreError, WaypostError

T = TypeVar("T")


class Problem(Struct, frozen=True):
    """Something that is wrong: where, what it is, and what to do.

    `kind` is one of `settings`, `site`, `templates`, `store`, `state`, `queue` and `events`.
    """

    kind: str
    where: str
    problem: str
    what_to_do: str


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
