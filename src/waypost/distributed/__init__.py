"""A distributed rebuild: many workers rebuild the ledger of one bucket."""

from waypost.distributed.artifacts import RESULT_NAMES, RunArtifacts
from waypost.distributed.plan import RunLimits, is_large
from waypost.distributed.steps import StepResult, Steps

__all__ = [
    "RESULT_NAMES",
    "RunArtifacts",
    "RunLimits",
    "StepResult",
    "Steps",
    "is_large",
]
