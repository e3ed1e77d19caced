"""The least work that dating and reading a site needs: one `git log`, one walk, and the first 16 KiB of each page."""

import os
import subprocess
import sys

_HEAD = 16_384
_LOG = ("log", "-c", "--raw", "--no-abbrev", "--no-renames", "-z", "--format=%ct")


def main(repository: str) -> None:
    """Read the history to its end, then the pages; keep nothing."""
    with subprocess.Popen(["git", "-C", repository, *_LOG], stdout=subprocess.PIPE) as process:
        while process.stdout is not None and process.stdout.read(1 << 20):
            pass
    read(repository)


def read(folder: str) -> None:
    """Read the head of each page below a folder."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name != ".git":
                    read(entry.path)
            elif entry.name.endswith(".html"):
                with open(entry.path, "rb", buffering=0) as file:
                    file.read(_HEAD)


if __name__ == "__main__":
    main(sys.argv[1])
