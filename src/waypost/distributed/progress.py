"""How far a distributed rebuild is, counted by the names of its files."""

from waypost.distributed.artifacts import RESULT_NAMES, RunArtifacts
from waypost.ledger.ledger_state import Run
from waypost.ledger.store import Ledger
from waypost.sync.status_answers import RebuildProgress


def progress(ledger: Ledger, run: Run) -> RebuildProgress:
    """The stage that a run is in, and how many of its tasks are done; raises StoreError."""
    artifacts = RunArtifacts(ledger.store, run)
    for stage, result_name in reversed(RESULT_NAMES.items()):
        task_count = artifacts.task_count(stage)
        if task_count:
            return RebuildProgress(run.owner, stage, len(artifacts.names(f"{result_name}-")), task_count)
    return RebuildProgress(run.owner, "plan", 0, 0)
