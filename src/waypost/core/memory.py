"""Memory for values that are freed at once, such as the trees of parsed pages."""

import platform

_BLOCK_BYTES = 1 << 22
_ARENA_MAX = -8
"""M_ARENA_MAX of mallopt(3)."""


def keep_freed_memory() -> None:
    """Let the C library keep a few MiB that were freed, so that not every page takes its memory from the system.

    Once a mapped block was freed, glibc returns the end of its heap only if twice that size is free (mallopt(3),
    "M_MMAP_THRESHOLD"). Other libraries do as before.
    """
    bytes(_BLOCK_BYTES)


def share_one_heap() -> None:
    """Have all threads take memory from one heap, so that what one has freed serves the others.

    glibc gives each thread its own, up to eight a processor, and each keeps some MiB (mallopt(3), "M_ARENA_MAX").
    Python runs one thread at a time, so none waits for another. Other libraries do as before.
    """
    if platform.libc_ver()[0] == "glibc":
        import ctypes  # most commands do not need it

        ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)
