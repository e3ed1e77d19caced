"""The last error of the function, kept beside the state for `{"action": "status"}`."""

import msgspec

from waypost.aws.logs import log, log_error
from waypost.build.status import LastError
from waypost.core.errors import WaypostError
from waypost.files import Store

_NAME = "last-error.json"


class LastErrorFile:
    """The file in the store of the state. What prevents its being written or removed is logged and not raised."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def read(self) -> LastError | None:
        """The last error, or None if there was none since the last complete rebuild; raises StoreError."""
        content = self._store.read(_NAME)
        try:
            return msgspec.json.decode(content, type=LastError) if content else None
        except msgspec.MsgspecError as error:
            log("WARNING", f"{_NAME} cannot be read: {error}")
            return None

    def save(self, error: Exception, request_id: str, now: str) -> None:
        """Log an error, and keep it in place of the one before."""
        log_error(error, request_id)
        try:
            self._store.write(_NAME, msgspec.json.encode(LastError(now, str(error), type(error).__name__, request_id)))
        except WaypostError as problem:
            log("ERROR", f"the error could not be saved: {problem}", request_id)

    def clear(self, request_id: str) -> None:
        """Remove the error: a complete rebuild repairs whatever it left undone."""
        try:
            self._store.remove(_NAME)
        except WaypostError as problem:
            log("ERROR", f"the last error could not be removed: {problem}", request_id)
