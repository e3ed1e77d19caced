"""What the JSON answers of all commands share.

Each answer is declared beside what makes it. The names of its fields are a contract: `docs/schemas/` has the JSON
Schema of each answer. A field whose type allows UNSET, or that has a default where defaults are omitted, is absent
where it does not apply. The same site gives the same bytes.
"""

import msgspec

SCHEMA_VERSION = 1
"""The version of the answers that have one: it rises when a field is renamed, removed, or gets another meaning."""


def to_json(answer: object, indent: int = 2) -> bytes:
    """An answer, or a list of them, as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(answer), indent=indent)
