"""The access tokens of a service account, or of a workload identity; the only module that imports google-auth."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import google.auth
from google.auth import exceptions, transport
from msgspec import Struct

from waypost.core.errors import AnnounceError, TryLaterError
from waypost.files import http_requests
from waypost.files.guarded_http import Timeouts
from waypost.files.http_client import HttpRequest
from waypost.files.http_requests import StatusError
from waypost.notify.engine_api import RETRY_AFTER, short

VARIABLE = "GOOGLE_APPLICATION_CREDENTIALS"
_SCOPE = "https://www.googleapis.com/auth/webmasters"
_TIMEOUTS = Timeouts(idle=15, total=30)
_MOST_BYTES = 1_048_576
_ERRORS = (exceptions.GoogleAuthError, OSError, ValueError, TypeError, AttributeError, LookupError)
"""What google-auth raises; all but the first two are about a file or an answer that is broken."""


class GoogleCredentials:
    """The credentials in the file that GOOGLE_APPLICATION_CREDENTIALS names, which is read when a token is needed."""

    def __init__(self) -> None:
        self._send = _Transport()

    @property
    def account(self) -> str:
        """The e-mail address of the service account, as far as the file has it."""
        return str(getattr(self._credentials, "service_account_email", None) or "")

    def token(self, *, is_renewed: bool = False) -> str:
        """An access token: the last one until it expires, unless it is to be renewed; raises AnnounceError."""
        credentials = self._credentials
        try:
            if is_renewed or not credentials.valid:
                credentials.refresh(self._send)
        except exceptions.TransportError as error:
            raise TryLaterError(f"the token for Google could not be requested: {error}", RETRY_AFTER) from None
        except _ERRORS as error:
            raise AnnounceError(
                f"Google gives no token for the credentials in {VARIABLE}: {_text(error, 'its answer is broken')}; "
                "look whether the account and its key still exist, and whether the clock of this machine is right"
            ) from None
        return str(credentials.token)

    @cached_property
    def _credentials(self) -> Any:
        try:
            found, _ = google.auth.default(scopes=[_SCOPE], request=self._send)
        except _ERRORS as error:
            raise AnnounceError(
                f"the credentials in {VARIABLE} cannot be used: {_text(error, 'the file is broken')}; it must be the "
                "path of a service account's key in JSON, or of a configuration for workload identity"
            ) from None
        return found


class _Answer(Struct, frozen=True):
    """An answer as google-auth reads it."""

    status: int
    headers: Mapping[str, str]
    data: bytes


class _Transport(transport.Request):
    """Sends the requests of google-auth as all others of Waypost: with a deadline, and without another HTTP library."""

    def __call__(
        self,
        url: str,
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
        **others: object,
    ) -> _Answer:
        """The answer, whatever its status is; raises TransportError if there is none."""
        del timeout, others
        try:
            request = HttpRequest(method, url, headers or {}, body)
            return _Answer(200, {}, http_requests.send(request, timeouts=_TIMEOUTS, most=_MOST_BYTES))
        except StatusError as error:
            return _Answer(error.status, error.headers, error.body)
        except (OSError, ValueError) as error:  # a URL that is none, or of a file, is no answer either
            text = getattr(error, "strerror", None) or str(error)
            raise exceptions.TransportError(text) from None  # type: ignore[no-untyped-call]


def _text(error: Exception, otherwise: str) -> str:
    """What an error of google-auth says, without the answer that some of them have as well."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return short(str(error.args[0])) if isinstance(error, exceptions.GoogleAuthError) and error.args else otherwise
