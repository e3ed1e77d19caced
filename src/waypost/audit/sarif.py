"""An audit as a SARIF 2.1.0 log, as GitHub's code scanning reads it."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec

from waypost import REPOSITORY, __version__
from waypost.audit.result import AuditCase, AuditFinding, AuditResult
from waypost.core.hashing import content_digest
from waypost.core.urls import encode_path

MAX_RESULTS = 5_000
"""GitHub shows no more results of a run than this (GitHub, "SARIF support for code scanning")."""
_MAX_RELATED = 10
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_FINGERPRINT = "waypostCase/v1"
_Json = Mapping[str, Any]


def dump(result: AuditResult, path_of: Callable[[str], str]) -> bytes:
    """The log; `path_of` gives the path of a page, by its key, below the root of the repository.

    A case is one result, at its first page. Errors come first, and no more than `MAX_RESULTS` are written.
    """
    driver = {
        "name": "Waypost",
        "version": __version__,
        **({"informationUri": f"https://github.com/{REPOSITORY}"} if REPOSITORY else {}),
        "rules": [_rule(finding) for finding in result.findings],
    }
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": "waypost-audit/"},
        "columnKind": "unicodeCodePoints",
        "results": list(islice(_results(result, path_of), MAX_RESULTS)),
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return msgspec.json.format(msgspec.json.encode(log), indent=1) + b"\n"


def _rule(finding: AuditFinding) -> _Json:
    help_text = f"{_sentence(finding.meaning)} {_sentence(finding.advice)}"
    return {
        "id": finding.code,
        "shortDescription": {"text": finding.title},
        "fullDescription": {"text": _sentence(finding.meaning)},
        "help": {"text": f"{help_text} Source: {finding.source}."},
        "defaultConfiguration": {"level": finding.severity.value},
        "properties": {"tags": ["sitemap"]},
    }


def _results(result: AuditResult, path_of: Callable[[str], str]) -> Iterator[_Json]:
    for number, finding in enumerate(result.findings):
        for case in finding.cases:
            yield {
                "ruleId": finding.code,
                "ruleIndex": number,
                "level": finding.severity.value,
                "message": {"text": _message(finding, case)},
                "locations": [_location(case.pages[0], path_of)],
                "relatedLocations": [_location(page, path_of) for page in case.pages[1 : 1 + _MAX_RELATED]],
                "partialFingerprints": {_FINGERPRINT: fingerprint(finding, case)},
            }


def fingerprint(finding: AuditFinding, case: AuditCase) -> str:
    """What is the same for a case in later runs: its code and target, and only without a target also its detail."""
    return content_digest("\n".join((finding.code, case.target, "" if case.target else case.detail)).encode())


def _message(finding: AuditFinding, case: AuditCase) -> str:
    about = " ".join(filter(None, [case.target, f"({case.detail})" if case.detail else ""]))
    more = f" It concerns {len(case.pages):,} pages." if len(case.pages) > 1 else ""
    return f"{_sentence(finding.meaning)} {about}.{more}" if about else _sentence(finding.meaning) + more


def _location(page: str, path_of: Callable[[str], str]) -> _Json:
    place = {"uri": encode_path(path_of(page)), "uriBaseId": "%SRCROOT%"}
    return {"physicalLocation": {"artifactLocation": place, "region": {"startLine": 1}}}


def _sentence(phrase: str) -> str:
    return phrase[:1].upper() + phrase[1:] + "."
