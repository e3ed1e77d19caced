"""The parts of `waypost audit` that its command calls."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from audits import linked, links
from sites import BASE

from waypost.audit.result import AuditResult
from waypost.cli import audit_run
from waypost.cli.options import SiteOptions
from waypost.core.errors import ConfigurationError, StoreError

if TYPE_CHECKING:
    from sites import Write

OPTIONS = SiteOptions(base_url=BASE)


def test_the_job_of_a_folder_audits_it(write: Write) -> None:
    job = audit_run.folder_job(str(write(linked(a=links("none.html")))), OPTIONS)
    assert [finding.code for finding in audit_run.audited(job).findings] == ["broken-link"]


def test_without_a_baseline_nothing_is_known() -> None:
    assert audit_run.known_cases(None, is_written=False) == frozenset()
    assert audit_run.known_cases(Path("none.json"), is_written=True) == frozenset()
    with pytest.raises(ConfigurationError):
        audit_run.known_cases(None, is_written=True)


def test_a_file_that_cannot_be_written_is_named(write: Write) -> None:
    site = write({"file": "x"})
    with pytest.raises(StoreError):
        audit_run.write_baseline(site / "file" / "known.json", AuditResult())
    with pytest.raises(StoreError):
        audit_run.write_sarif(site / "file" / "audit.sarif", AuditResult(), site)
