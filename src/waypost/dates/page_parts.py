"""Tells how much of a page its sources explain, with the parts of other files that they name."""

import posixpath
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from waypost.dates import paths, source_text
from waypost.dates.file_parts import ALL_DOCSTRINGS, OF_DOCSTRINGS, Part, read_part
from waypost.dates.named_parts import NamedParts
from waypost.dates.text_matches import shingles
from waypost.pages import frontmatter

_MOST_NESTED = 5
"""How deep files may name others: `test_named_files_name_others_to_a_depth_and_cycles_end`."""
_MOST_PARTS = 200
"""So many parts of a page are looked at, so that files that name many others end soon; no test has so many."""
_HELD = 0.1
"""A named part is on a page that has this share of its text: variables in it may be replaced in most sentences.

0.05 and 0.12: `test_a_named_file_is_a_part_if_a_tenth_of_its_text_is_on_the_page`.
"""
_LEAST_OWN = 10
"""Of a page with fewer shingles of its own nothing can be said.

9 and 11: `test_of_a_page_with_little_text_of_its_own_nothing_can_be_said`.
"""
_SHOWN_CODE = 0.5
"""A page shows the code of a module if it has this share of the text that is in no docstring.

0.3 and 0.7: `test_a_module_dates_a_page_by_its_docstrings_unless_the_page_shows_its_code`.
"""
_HELD_BESIDE, _LEAST_BESIDE = 0.5, 3
"""Data that nobody names need this share of their values, and so many of these, on the page.

The first: 0.3 and 0.7, the second: 2
`test_a_table_in_the_folder_of_an_index_is_a_part_if_half_of_its_values_are_on_the_page`.
"""

_ADDRESS_BYTES = 4_096
_ADDRESS = re.compile(
    r"^(?:\.\. |:|#\+)?[\"']?(?:slug|permalink|url|save_as)[\"']?[ \t]*[:=][ \t]*[\"']?([^\s\"'{}]{1,300})",
    re.MULTILINE | re.IGNORECASE,
)
"""The address that a file gives its page, as each generator writes it; one with variables says nothing."""


class PageParts:
    """The parts of files that stand on pages; `own` has the shingles of each page's own text, by its key."""

    def __init__(self, own: Mapping[str, Collection[int]], named: NamedParts, read: Callable[[str], bytes]) -> None:
        self._own, self._named, self._read = own, named, read
        self._shingles: dict[Part, frozenset[int]] = {}

    def of(self, key: str, files: Sequence[str]) -> tuple[Part, ...]:
        """The parts that the sources of a page name, and that stand on it."""
        own = self._own_text(key)
        found = [part for part in self._all_named(files) if part.path not in files and self._is_on(own, part, _HELD, 1)]
        beside = (part for file in files for part in self._named.beside(file) if part.path not in files)
        found += [part for part in beside if self._is_on(own, part, _HELD_BESIDE, _LEAST_BESIDE)]
        found += [part for file in files for part in self._named.metadata(file)]
        return tuple(dict.fromkeys(found))

    def share(self, key: str, files: Sequence[str]) -> float:
        """The share of a page's own text that its sources explain with their front matter and the parts they name.

        A page of which little text is its own is explained.
        """
        own = self._own_text(key)
        return self.explained(key, files) / len(own) if len(own) >= _LEAST_OWN else 1.0

    def explained(self, key: str, files: Sequence[str]) -> int:
        """How much of a page's own text its sources explain, in shingles."""
        parts = (*map(Part, files), *self.of(key, files))
        return len(frozenset[int]().union(*(self._own_text(key) & self._of(part) for part in parts)))

    def covered(self, key: str, part: Part) -> float:
        """The share of a page's own text that a part of a file has."""
        own = self._own_text(key)
        return len(own & self._of(part)) / len(own) if own else 0.0

    def shows_code(self, key: str, file: str) -> bool:
        """Whether a page shows the code of a module, and not only what this says of itself."""
        code = self._of(Part(file)) - self._of(Part(file, ALL_DOCSTRINGS))
        return len(self._own_text(key) & code) >= max(1, _SHOWN_CODE * len(code))

    def documentation(self, files: Sequence[str], module: str) -> tuple[Part, ...]:
        """The parts of a module that files name."""
        return tuple(part for part in self._all_named(files) if part.path == module)

    def documented(self, key: str, linked: Sequence[str]) -> tuple[Part, float] | None:
        """The object for which a page is named, and the share of the page that its docstrings have.

        It is one of the project, by its whole name, or of a module to which the page links. Generators make such pages
        without a file of their own (Sphinx' autosummary, quartodoc).
        """
        name = posixpath.basename(key).removesuffix(".html")
        own, found = self._own_text(key), self._named.documented(name, linked)
        shares = {part: self.covered(key, part) for part in found if own}
        best = max(shares, key=lambda part: shares[part], default=None)
        return (best, shares[best]) if best else None

    def lacks_code(self, files: Sequence[str]) -> bool:
        """Whether sources show what code says of itself, and not all of this code is found."""
        return any(map(self._named.lacks_code, files))

    def lacks_text(self, files: Sequence[str]) -> bool:
        """Whether sources have front matter alone, as the index of a folder whose page lists the others in it."""
        if not all(posixpath.basename(file).lower().startswith(("_index.", "index.")) for file in files):
            return False
        found = list(map(self._front_matter, files)) if all(map(source_text.is_markup, files)) else []
        return any(fields or rest for fields, rest in found) and not any(rest.strip() for _, rest in found)

    def share_of_fields(self, key: str, file: str) -> float:
        """The share of a page's own text that is in the front matter of a file, nested fields included."""
        own, (fields, _) = self._own_text(key), self._front_matter(file)
        return len(own.intersection(shingles(source_text.values(fields)))) / len(own) if own else 0.0

    def says_address(self, key: str, file: str) -> bool:
        """Whether the front matter of a file says the last name in a page's address (`slug`, `permalink`, `url`)."""
        start = self._read(file)[:_ADDRESS_BYTES].decode("utf-8", "replace")
        name = paths.last_segment(key)
        return any(paths.last_segment(said) == name for said in _ADDRESS.findall(start)) if name else False

    def _front_matter(self, file: str) -> tuple[str, str]:
        return frontmatter.front_matter(self._read(file)[: source_text.MAX_BYTES].decode("utf-8", "replace"))

    def _all_named(self, files: Sequence[str]) -> Iterator[Part]:
        """What files name, and what the named files name in turn; a part of a file names nothing more."""
        found, current = dict[Part, None](), [Part(file) for file in files]
        for _ in range(_MOST_NESTED):
            current = [part for each in current for part in self._named_by(each) if part not in found]
            found |= dict.fromkeys(current[: _MOST_PARTS - len(found)])
        return iter(found)

    def _named_by(self, part: Part) -> Sequence[Part]:
        """What a file names, or the docstring of an object; other parts name nothing more."""
        if not part.region:
            return self._named.of(part.path)
        return self._named.of_docstrings(part) if part.region.startswith(OF_DOCSTRINGS) else ()

    def _own_text(self, key: str) -> frozenset[int]:
        return frozenset(self._own.get(key, ()))

    def _is_on(self, own: frozenset[int], part: Part, held: float, least: int) -> bool:
        text = self._of(part)
        return len(own & text) >= max(least, held * len(text))

    def _of(self, part: Part) -> frozenset[int]:
        if part not in self._shingles:
            self._shingles[part] = frozenset(shingles(_blocks(part, self._read(part.path))))
        return self._shingles[part]


NO_PARTS = PageParts({}, NamedParts((), lambda path: b""), lambda path: b"")
"""Where no page's text is known: nothing names a part, and no source is too weak."""


def _blocks(part: Part, data: bytes) -> list[str]:
    """The blocks of text of a part: of markup, of data with all their values, or of what is shown as it is written."""
    if part.region and len(data) > source_text.MAX_BYTES:
        return []  # its versions are not compared, so any commit would date the page
    if part.region.startswith(OF_DOCSTRINGS):
        return source_text.read_blocks("docstring.rst", read_part(part, data.decode("utf-8", "replace")).encode())
    text = read_part(part, data[: source_text.MAX_BYTES].decode("utf-8", "replace"))
    if not source_text.may_have_text(part.path) or source_text.is_code(part.path):
        return [text]
    fields, _ = frontmatter.front_matter(text) if source_text.is_markup(part.path) else (text, "")
    return [*source_text.read_blocks(part.path, text.encode()), *source_text.values(fields)]
