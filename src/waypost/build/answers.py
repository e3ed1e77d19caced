"""What the JSON answers of all commands share.

Each answer is declared beside what makes it. The names of its fields are a contract: `docs/schemas/` has the JSON
Schema of each answer. A field whose type allows UNSET, or that has a default where defaults are omitted, is absent
where it does not apply. The same site gives the same bytes.
"""

from pathlib import Path
from typing import TypeVar

import msgspec

from waypost.core import tree_files
from waypost.core.errors import SourceError

Answer = TypeVar("Answer")

SCHEMA_VERSION = 1
"""The version of the answers that have one: it rises when a field is renamed, removed, or gets another meaning."""


def to_json(answer: object, indent: int = 2) -> bytes:
    """An answer, or a list of them, as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(answer), indent=indent)


def read_json(file: Path, kind: type[Answer], command: str, most: int) -> Answer:
    """The answer, of at most so many bytes, that a command has printed with --json into a file; raises SourceError."""
    try:
        return msgspec.json.decode(tree_files.read(file, most=most), type=kind)
    except OSError as error:
        raise SourceError(f"{file} cannot be read: {error.strerror or error}") from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise SourceError(f"{file} is not what `waypost {command} --json` prints: {error}") from error
