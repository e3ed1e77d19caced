"""How far a distributed build has come, told from the names of its files."""

from typing import Any

from waypost.distributed.artifacts import RESULT_NAMES, RunArtifacts
from waypost.ledger.ledger_state import Run
from waypost.ledger.store import Ledger


def progress(ledger: Ledger, run: Run) -> dict[str, Any]:
    """The stage that a run is in, and how many of its parts are done; raises StoreError."""
    artifacts = RunArtifacts(ledger.store, run)
    for stage, done in reversed(RESULT_NAMES.items()):
        handed_out = artifacts.task_count(stage)
        if handed_out:
            return {"run": run.owner, "stage": stage, "done": len(artifacts.names(f"{done}-")), "of": handed_out}
    return {"run": run.owner, "stage": "plan", "done": 0, "of": 0}
