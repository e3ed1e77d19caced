"""A baseline: the cases that are known, so that an audit reports only new ones."""

from collections import defaultdict
from collections.abc import Iterable

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from waypost.audit.result import AuditCase, AuditFinding, AuditResult, KnownCase
from waypost.core.errors import ConfigIssue, ConfigurationError

_FORMAT, _VERSION = "waypost-audit-baseline", 1


class KnownPages(Struct, frozen=True, order=True, forbid_unknown_fields=True):
    """The pages that one code and target concern, in order."""

    code: str
    target: str
    pages: tuple[str, ...]


class Baseline(Struct, frozen=True, forbid_unknown_fields=True):
    """The file of a baseline: the known cases in order, and the version of the format."""

    format: str = _FORMAT
    version: int = _VERSION
    known: tuple[KnownPages, ...] = ()


def dump(result: AuditResult) -> bytes:
    """The file that makes all cases of a result known; equal results give equal bytes."""
    pages: dict[tuple[str, str], set[str]] = defaultdict(set)
    for case in result.placed():
        pages[case.code, case.target].add(case.page)
    known = sorted(KnownPages(*about, tuple(sorted(keys))) for about, keys in pages.items())
    return msgspec.json.format(msgspec.json.encode(Baseline(known=tuple(known))), indent=1) + b"\n"


def load(data: bytes, name: str) -> frozenset[KnownCase]:
    """The known cases in a baseline's file; raises ConfigurationError."""
    try:
        baseline = msgspec.json.decode(data, type=Baseline)
    except msgspec.MsgspecError as error:
        raise _problem(name, f"it is not a baseline: {error}") from None
    if (baseline.format, baseline.version) != (_FORMAT, _VERSION):
        raise _problem(name, f"it has the format {baseline.format} {baseline.version}, and not {_FORMAT} {_VERSION}")
    return frozenset(KnownCase(cases.code, page, cases.target) for cases in baseline.known for page in cases.pages)


def without_known(result: AuditResult, known: Iterable[KnownCase], off: Iterable[str] = ()) -> AuditResult:
    """A result without the known cases, which says how many there were, and which no longer occur.

    Of codes that are `off` it is not known whether they occur.
    """
    known, present = frozenset(known), frozenset(result.placed())
    remaining = [_remaining(finding, known) for finding in result.findings]
    skipped = frozenset(off)
    return replace(
        result,
        findings=tuple(finding for finding in remaining if finding.cases),
        hidden=len(known & present),
        resolved=sorted(case for case in known - present if case.code not in skipped),
    )


def _remaining(finding: AuditFinding, known: frozenset[KnownCase]) -> AuditFinding:
    cases: list[AuditCase] = []
    for case in finding.cases:
        pages = tuple(page for page in case.pages if KnownCase(finding.code, page, case.target) not in known)
        if pages:
            cases.append(replace(case, pages=pages))
    return replace(finding, cases=tuple(sorted(cases, key=AuditCase.rank)))


def _problem(name: str, problem: str) -> ConfigurationError:
    return ConfigurationError((ConfigIssue(name, "baseline", problem, "a file that --write-baseline wrote"),))
