"""Memory for values that are freed at once, such as the trees of parsed pages."""

_BLOCK_BYTES = 1 << 22


def keep_freed_memory() -> None:
    """Let the C library keep a few MiB that were freed, so that not every page takes its memory from the system.

    Once a mapped block was freed, glibc returns the end of its heap only if twice that size is free (mallopt(3),
    "M_MMAP_THRESHOLD"). Other libraries do as before.
    """
    bytes(_BLOCK_BYTES)
