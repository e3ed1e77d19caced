"""What a request says of the rebuild that it asks for."""

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from waypost.core.errors import EventError


class RebuildOptions(Struct, frozen=True, omit_defaults=True):
    """How a rebuild is done: `max_removed` replaces the setting of that name.

    With a `lag` the rebuild counts the objects whose events were lost: those that should have been reported so many
    seconds ago. The schedule sends one.
    """

    max_removed: Annotated[int, Meta(ge=0, le=100)] | None = None
    lag: Annotated[float, Meta(ge=0)] | None = None


NO_OPTIONS = RebuildOptions()


def parse_options(found: object) -> RebuildOptions:
    """The options in the input of an execution; raises EventError if they are not valid."""
    try:
        return msgspec.convert(found if isinstance(found, Mapping) else {}, RebuildOptions)
    except msgspec.ValidationError as error:
        raise EventError(f"the execution's input is not valid: {error}") from None
