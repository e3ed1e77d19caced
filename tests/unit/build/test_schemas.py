"""The JSON Schemas of the answers, beside the structs that they describe."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_the_schemas_of_the_answers_are_those_of_the_code() -> None:
    done = subprocess.run([sys.executable, str(ROOT / "docs" / "schemas.py"), "--check"], check=False)
    assert done.returncode == 0, "run `python docs/schemas.py`"
