"""The last error of the function, kept beside the state for `{"action": "status"}`."""

import msgspec

from waypost.aws.logs import ErrorLine, LogLine, log
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
            log(LogLine(level="WARNING", message=f"{_NAME} cannot be read: {error}"))
            return None

    def save(self, error: Exception, request_id: str, now: str) -> None:
        """Log an error, and keep it in place of the one before."""
        error_type = type(error).__name__
        log(ErrorLine(level="ERROR", message=str(error), request_id=request_id, error_type=error_type))
        try:
            self._store.write(_NAME, msgspec.json.encode(LastError(now, str(error), error_type, request_id)))
        except WaypostError as problem:
            _log_problem(f"the error could not be saved: {problem}", request_id)

    def clear(self, request_id: str) -> None:
        """Remove the error: a complete rebuild repairs whatever it left undone."""
        try:
            self._store.remove(_NAME)
        except WaypostError as problem:
            _log_problem(f"the last error could not be removed: {problem}", request_id)


def _log_problem(message: str, request_id: str) -> None:
    log(LogLine(level="ERROR", message=message, request_id=request_id))
