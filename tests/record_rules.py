"""Records what the rules make of the corpus, under their current version; refuses to record a change without one."""

from __future__ import annotations

import sys

from rule_cases import cases
from rule_corpus import GOLDEN, Recorded, changed_outcomes, dump_outcomes, load_outcomes, outcomes

from waypost.pages.facts import RULES_VERSION


def refusal(recording: bytes | None, present: Recorded) -> str:
    """Why present outcomes may not replace a recording, or `""` where they may.

    Under the same version of the rules, cases may be added; what is recorded may not change.
    """
    if recording is None:
        return ""
    version, recorded = load_outcomes(recording)
    if version > RULES_VERSION:
        return f"the outcomes were recorded by the rules' version {version}, and pages/facts.py has {RULES_VERSION}"
    changed = changed_outcomes(recorded, present) if version == RULES_VERSION else []
    if changed:
        return (
            f"the rules' outcomes changed ({len(changed)}, the first: {changed[0]}): raise RULES_VERSION in "
            "pages/facts.py first"
        )
    return ""


def main() -> int:
    """Record; 1 where that is refused."""
    present = outcomes(cases())
    problem = refusal(GOLDEN.read_bytes() if GOLDEN.exists() else None, present)
    if problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    GOLDEN.write_bytes(dump_outcomes(present))
    return 0


if __name__ == "__main__":
    sys.exit(main())
