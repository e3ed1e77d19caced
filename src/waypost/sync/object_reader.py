"""Reads what objects are now, several at once."""

from collections.abc import Iterable, Mapping

from waypost.config.schema import Site
from waypost.core import concurrency
from waypost.core.errors import BusyError
from waypost.core.model import Item
from waypost.rules import page_facts
from waypost.rules.page_facts import ObjectSnapshot
from waypost.sources.base import ObjectSource

Snapshots = Mapping[str, ObjectSnapshot | None]
"""What objects are now, by key; None means an object that is gone."""


def read_objects(
    source: ObjectSource, site: Site, items: Iterable[Item], *, raise_when_busy: bool = False
) -> tuple[dict[str, ObjectSnapshot | None], dict[str, str]]:
    """The snapshots of these objects, and for objects that could not be read the error.

    With `raise_when_busy`, a source that throttles or times out raises BusyError: that says nothing of its objects.
    """

    def read(item: Item) -> ObjectSnapshot | OSError | None:
        try:
            return page_facts.read_item(source, site, item)
        except FileNotFoundError:
            return None
        except TimeoutError as error:
            if raise_when_busy:
                raise BusyError(f"{item.key} cannot be read now: {error.strerror}") from error
            return error
        except OSError as error:
            return error

    wanted = list(items)
    answers = dict(
        zip((item.key for item in wanted), concurrency.map_concurrently(read, wanted, source.width), strict=True)
    )
    snapshots = {key: each for key, each in answers.items() if not isinstance(each, OSError)}
    failed = {key: each.strerror or str(each) for key, each in answers.items() if isinstance(each, OSError)}
    return snapshots, failed
