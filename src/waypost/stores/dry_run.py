"""A store over another, in which writing changes nothing but what is read afterwards: for a run that only tells."""

from collections.abc import Iterable, Sequence

from waypost.core.errors import ConflictError
from waypost.core.hashing import digest_of
from waypost.stores.base import UNSTAMPED, Held, Kept, Stamp, Standing, SwapStore


class Overlay:
    """What is written stays in memory; None stands for a file that was removed."""

    def __init__(self, below: SwapStore) -> None:
        self._below, self.width = below, below.width
        self._files: dict[str, tuple[bytes, Stamp] | None] = {}

    def names(self, stem: str = "") -> Iterable[str]:
        """The names that stand or would stand, and begin with `stem`."""
        names = {*self._below.names(stem), *(name for name in self._files if name.startswith(stem))}
        return sorted(name for name in names if self._files.get(name, True))

    def read(self, name: str) -> bytes | None:
        """A file's bytes as they would be, or None where it would not stand."""
        held = self.fetch(name)
        return held.content if held else None

    def write(self, name: str, content: bytes) -> None:
        """Keep what a file would be."""
        self._files[name] = content, UNSTAMPED

    def remove(self, name: str) -> None:
        """Keep that a file would be gone."""
        self._files[name] = None

    def fetch(self, name: str) -> Held | None:
        """A file's bytes as they would be, with an ETag."""
        if name not in self._files:
            return self._below.fetch(name)
        found = self._files[name]
        return Held(found[0], digest_of(found[0])) if found else None

    def look(self, name: str) -> Standing | None:
        """What could be told of a file without reading it."""
        if name not in self._files:
            return self._below.look(name)
        found = self._files[name]
        return Standing(digest_of(found[0]), found[1]) if found else None

    def swap(self, name: str, content: bytes, etag: str | None, stamp: Stamp = UNSTAMPED) -> str:
        """Keep what a file that has this ETag would be."""
        self._expect(name, etag)
        self._files[name] = content, stamp
        return digest_of(content)

    def drop(self, name: str, etag: str) -> None:
        """Keep that a file that has this ETag would be gone."""
        self._expect(name, etag)
        self._files[name] = None

    def clear(self, names: Sequence[str]) -> None:
        """Keep that files would be gone."""
        self._files |= dict.fromkeys(names)

    def kept(self, stem: str) -> Iterable[Kept]:
        """The files below; what only would stand has no age."""
        return self._below.kept(stem)

    def _expect(self, name: str, etag: str | None) -> None:
        standing = self.look(name)
        if (standing.etag if standing else None) != etag:
            raise ConflictError(f"{name} was changed by another run")
