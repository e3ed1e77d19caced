"""The documentation, compared with the code that it describes."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_generated_tables_and_inputs_are_up_to_date() -> None:
    done = subprocess.run([sys.executable, str(ROOT / "docs" / "generate.py"), "--check"], check=False)
    assert done.returncode == 0, "run `python docs/generate.py`"
