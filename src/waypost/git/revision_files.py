"""Opens sitemaps as a commit of the working folder's repository has them: `HEAD~1:public/sitemap.xml`."""

import errno
from collections.abc import Iterator
from pathlib import Path

from waypost.core.places import place_of
from waypost.core.tree_files import MOST_BYTES
from waypost.git import GitFolder, Repositories


class RevisionFile:
    """A file of a commit; `path` is relative to the repository's root, as Git has it."""

    def __init__(self, at: GitFolder, revision: str, path: str, loc: str = "") -> None:
        self.at, self.revision, self.path = at, revision, path
        self.name, self.loc = f"{revision}:{path}", loc
        self.modified: float | None = None
        self.redirected_to = ""
        self.is_sent_as_gzip: bool | None = None

    @property
    def exists(self) -> bool:
        """Whether the commit has such a file."""
        return self._size() is not None

    def chunks(self) -> Iterator[bytes]:
        """All of it at once; raises OSError."""
        size = self._size()
        if size is None:
            raise FileNotFoundError(errno.ENOENT, "the commit has no such file")
        if size > MOST_BYTES:
            raise OSError(errno.EFBIG, f"it is larger than {MOST_BYTES:,} bytes")
        yield self.at.output("cat-file", "blob", self.name)

    def _size(self) -> int | None:
        done = self.at.run("cat-file", "--batch-check=%(objecttype) %(objectsize)", stdin=f"{self.name}\n".encode())
        kind, _, size = done.stdout.decode("utf-8", "replace").strip().partition(" ")
        return int(size) if kind == "blob" else None


def revision_file(target: str, folder: Path) -> RevisionFile | None:
    """The file that `REVISION:PATH` names, or None if a target is not written so, or the commit has no such file."""
    revision, colon, path = target.partition(":")
    if not colon or not revision or revision.startswith("-") or "\n" in target or place_of(target).kind != "path":
        return None
    at = Repositories(folder).find(folder)
    found = RevisionFile(at, revision, path) if at else None
    return found if found and found.exists else None
