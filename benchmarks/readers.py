"""Readers that `validate.py` compares Waypost with: `readers.py NAME FILE...` prints how many URLs the files list.

Each reader imports only what it needs, so that its time and memory are its own.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

_LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"


def lxml(files: Sequence[str]) -> int:
    """Parse every element with lxml and drop it: the least work of reading XML."""
    from lxml import etree

    count = 0
    for file in files:
        for _, element in etree.iterparse(file):
            count += element.tag == _LOC
            element.clear()
    return count


def usp(files: Sequence[str]) -> int:
    """Parse each file with ultimate-sitemap-parser, and count its pages."""
    from usp.tree import sitemap_from_str

    return sum(sum(1 for _ in sitemap_from_str(Path(file).read_text()).all_pages()) for file in files)


if __name__ == "__main__":
    reader: Callable[[Sequence[str]], int] = {"lxml": lxml, "usp": usp}[sys.argv[1]]
    print(reader(sys.argv[2:]))
