import platform
import subprocess
import sys

import pytest

_COUNT_FAULTS = """
from resource import RUSAGE_SELF, getrusage
from selectolax.lexbor import LexborHTMLParser
from waypost.core.memory import keep_freed_memory

keep_freed_memory()
LexborHTMLParser("<p>")
before = getrusage(RUSAGE_SELF).ru_minflt
for _ in range(1_000):
    LexborHTMLParser("<p>")
print(getrusage(RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc changes how much freed memory it keeps")
def test_pages_that_are_parsed_one_by_one_use_the_same_memory() -> None:
    faults = subprocess.run([sys.executable, "-c", _COUNT_FAULTS], capture_output=True, check=True).stdout
    assert int(faults) < 1_000
