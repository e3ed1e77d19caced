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
_COUNT_HEAPS = """
import ctypes
from threading import Barrier, Thread
from waypost.core.memory import share_one_heap

if {is_shared}:
    share_one_heap()
together = Barrier(8)
def work():
    together.wait()
    bytearray(50_000)
    together.wait()
threads = [Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
libc = ctypes.CDLL(None)
libc.malloc_info(0, ctypes.c_void_p.in_dll(libc, "stdout"))
libc.fflush(None)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc changes how much freed memory it keeps")
def test_pages_that_are_parsed_one_by_one_use_the_same_memory() -> None:
    faults = subprocess.run([sys.executable, "-c", _COUNT_FAULTS], capture_output=True, check=True).stdout
    assert int(faults) < 1_000


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has several heaps")
@pytest.mark.parametrize("is_shared", [True, False])
def test_threads_share_one_heap(is_shared: bool) -> None:
    code = _COUNT_HEAPS.format(is_shared=is_shared)
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
    assert (told.count(b"<heap nr=") == 1) == is_shared
