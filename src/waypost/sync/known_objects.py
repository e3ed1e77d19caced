"""Which objects changed since they were recorded: a message that is delivered again rarely needs a page to be read."""

from collections.abc import Mapping

from waypost.core.errors import SourceError
from waypost.sources.base import ObjectSource


def changed_keys(source: ObjectSource, recorded: Mapping[str, str | None]) -> list[str]:
    """The keys whose objects have other ETags than the recorded ones, None for no object.

    All keys, if the source does not answer: one key that it refuses must not make all the others fail. An upload of the
    same bytes with other metadata is not noticed, if the ETag is derived from the bytes alone.
    """
    try:
        now = source.etags(recorded)
    except SourceError:
        return list(recorded)
    return [key for key, etag in recorded.items() if now[key] != etag]
