"""Sites for tests: their settings, and a run of Waypost over one."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from waypost.build.folder import prepare
from waypost.core.model import Plan
from waypost.settings.load import ConfigSource
from waypost.settings.schema import Site

BASE = "https://example.org/"

MakeSite = Callable[..., Site]
Files = Mapping[str, str | bytes]
Write = Callable[[Files], Path]
Entries = Callable[[Path], dict[str, str | None]]
Command = Callable[..., "subprocess.CompletedProcess[str]"]


class Build:
    """Runs Waypost in this process: settings as keywords, dates from nowhere unless they say so."""

    def plan(
        self, source: Path, base_url: str = BASE, *, output: Path | None = None, file: Path | None = None, **values: Any
    ) -> Plan:
        """Plan and write nothing."""
        return self._run(source, base_url, output, file, values, is_written=False)

    def __call__(
        self, source: Path, base_url: str = BASE, *, output: Path | None = None, file: Path | None = None, **values: Any
    ) -> Plan:
        """Plan and publish."""
        return self._run(source, base_url, output, file, values, is_written=True)

    def _run(
        self,
        source: Path,
        base_url: str,
        output: Path | None,
        file: Path | None,
        values: dict[str, Any],
        *,
        is_written: bool,
    ) -> Plan:
        defaults = {} if "sources" in values else {"lastmod": "none"}
        job = prepare(
            source,
            ConfigSource("test", {**defaults, "base_url": base_url, **values}, is_trusted=True),
            file=file,
            output=output,
        )
        plan = job.plan()
        if is_written:
            job.apply(plan)
        return plan
