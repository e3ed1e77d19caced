"""How far a distributed build has come, told from the names of its files."""

from typing import Any

from waypost.distributed.dossier import Dossier
from waypost.ledger import Ledger
from waypost.manifest import Run

_STAGES = {"publish": "published", "shape": "shaped", "gather": "gathered", "sort": "sorted"}
"""What workers are at, the last stage first, and what the files are called that they leave."""


def progress(ledger: Ledger, run: Run) -> dict[str, Any]:
    """The stage that a run is in, and how many of its parts are done; raises StoreError."""
    dossier = Dossier(ledger.store, run)
    for stage, done in _STAGES.items():
        handed_out = dossier.handed_out(stage)
        if handed_out:
            return {"run": run.id, "stage": stage, "done": len(dossier.names(f"{done}-")), "of": handed_out}
    return {"run": run.id, "stage": "plan", "done": 0, "of": 0}
