"""Sends the URLs that came, went or changed to the search engines that take part in IndexNow (indexnow.org)."""

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from urllib.parse import urlsplit

from waypost import __version__
from waypost.announce.base import PublishResult
from waypost.core import http_requests
from waypost.core.errors import AnnounceError, ConflictError, StoreError, TryLaterError
from waypost.core.guarded_http import Timeouts
from waypost.core.http_requests import Request, StatusError
from waypost.core.private_hosts import NO_PRIVATE_HOST, PrivateHosts

_MOST_URLS = 10_000
"""The most URLs of a request (IndexNow, "Submitting a set of URLs")."""
_TIMEOUT = 30.0
"""The seconds for a whole answer."""
_RETRY_AFTER, _LONGEST_RETRY = 60.0, 900.0
_MOST_KEY_BYTES = 1_024


class IndexNow:
    """Notifies the search engines of one site's URLs; `key` proves that they are the site's owner's.

    The key is in a text file at the site's root, which the engines read: it covers the URLs below that. `write_key`
    writes the file, where that is asked for, from its name and content. An answer may take `timeout` seconds.
    `private` are the hosts of private networks that may be asked.
    """

    name = "indexnow"
    wants_files, wants_urls = False, True

    def __init__(
        self,
        key: str,
        base_url: str,
        engine: str,
        write_key: Callable[[str, bytes], object] | None = None,
        timeout: float = _TIMEOUT,
        private: PrivateHosts = NO_PRIVATE_HOST,
    ) -> None:
        self._key, self._base_url, self._engine = key, base_url, engine
        self._write_key, self._timeout, self._private = write_key, timeout, private
        self._key_url = f"{base_url}{key_file(key)}"

    def notify(self, results: Iterable[PublishResult]) -> None:
        """Send the URLs, 10,000 a request, after a look at the key file."""
        urls = self._urls(results)
        some = list(islice(urls, _MOST_URLS))
        if some:
            self._check_key()
        while some:
            self._send(some)
            some = list(islice(urls, _MOST_URLS))

    def _urls(self, results: Iterable[PublishResult]) -> Iterator[str]:
        """Each URL below the site's root once."""
        seen: set[str] = set()
        for result in results:
            for url in result.changes.urls:
                if url not in seen and url.startswith(self._base_url):
                    seen.add(url)
                    yield url

    def _check_key(self) -> None:
        """Raise AnnounceError unless the key file holds the key: the engines would refuse all URLs."""
        problem = self._key_problem()
        if problem and self._write_key:
            self._publish_key(self._write_key)
            raise TryLaterError(f"{problem}; the file was written now", _RETRY_AFTER)
        if problem:
            raise AnnounceError(f"{problem}; {self._remedy}")

    def _publish_key(self, write_key: Callable[[str, bytes], object]) -> None:
        name = key_file(self._key)
        try:
            write_key(name, self._key.encode())
        except (StoreError, ConflictError) as error:
            raise AnnounceError(f"{name} could not be written: {error}; {self._remedy}") from error

    def _key_problem(self) -> str:
        """What is wrong with the key file, or `""`; raises TryLaterError if the site does not answer."""
        try:
            found = self._answer(Request("GET", self._key_url, _HEADERS), _MOST_KEY_BYTES)
        except StatusError as error:
            if error.status >= 500 or error.status == 429:
                raise TryLaterError(f"{self._key_url} answers {error.status}", _retry_after(error)) from None
            return f"{self._key_url} answers {error.status}"
        except OSError as error:
            raise TryLaterError(f"{self._key_url} cannot be read: {error.strerror or error}", _RETRY_AFTER) from None
        is_right = found.decode("utf-8", "replace").strip() == self._key
        return "" if is_right else f"{self._key_url} does not hold the key"

    @property
    def _remedy(self) -> str:
        return f"publish a file {key_file(self._key)} that holds only the key"

    def _send(self, urls: list[str]) -> None:
        body = {
            "host": urlsplit(self._base_url).netloc,
            "key": self._key,
            "keyLocation": self._key_url,
            "urlList": urls,
        }
        headers = {**_HEADERS, "Content-Type": "application/json; charset=utf-8"}
        request = Request("POST", self._engine, headers, json.dumps(body).encode())
        try:
            self._answer(request, 0)
        except StatusError as error:
            raise self._refusal(error) from None
        except OSError as error:
            raise TryLaterError(f"{self._engine} does not answer: {error.strerror or error}", _RETRY_AFTER) from None

    def _answer(self, request: Request, size: int) -> bytes:
        return http_requests.send(
            request, timeouts=Timeouts(self._timeout, self._timeout), most=size, guard=self._private
        )

    def _refusal(self, error: StatusError) -> AnnounceError:
        """What an answer says (IndexNow, "Response format")."""
        if error.status == 429 or error.status >= 500:
            return TryLaterError(f"{self._engine} answers {error.status}", _retry_after(error))
        meaning = {
            400: "it does not understand the request",
            403: f"it does not accept the key; {self._remedy}, and look whether {self._key_url} shows it",
            422: f"the URLs are not below {self._base_url}, or the key is not made of 8 to 128 letters, digits and `-`",
        }.get(error.status, "look at what this engine supports")
        return AnnounceError(f"{self._engine} answers {error.status}: {meaning}")


_HEADERS = {"User-Agent": f"waypost/{__version__}"}


def key_file(key: str) -> str:
    """The name of the file that holds a key."""
    return f"{key}.txt"


def _retry_after(error: StatusError) -> float:
    """The seconds that an answer asks to wait, if it does so in seconds."""
    wanted = error.headers.get("Retry-After", "")
    return min(float(wanted), _LONGEST_RETRY) if wanted.isdecimal() else _RETRY_AFTER
