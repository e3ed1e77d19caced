"""Sends the URLs that came, went or changed to the search engines that take part in IndexNow (indexnow.org)."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from waypost import __version__
from waypost.core.errors import AnnounceError, ConflictError, StoreError, TryLaterError
from waypost.core.private_hosts import NO_PRIVATE_HOST, PrivateHosts
from waypost.core.urls import origin_of
from waypost.files import http_requests
from waypost.files.guarded_http import Timeouts
from waypost.files.http_client import HttpRequest
from waypost.files.http_requests import StatusError
from waypost.notify.base import DroppedUrl, PublishResult, Sent

_MOST_URLS = 10_000
"""The most URLs of a request (IndexNow, "Submitting a set of URLs")."""
_TIMEOUT = 30.0
"""The seconds for a whole answer."""
_RETRY_AFTER, _LONGEST_RETRY = 60.0, 900.0
_MOST_KEY_BYTES, _MOST_SHOWN = 1_024, 10_000


class _Site(NamedTuple):
    """A host whose URLs go into requests of their own, and the URL of the file that holds its key."""

    host: str
    key_url: str


class IndexNow:
    """Notifies the search engines of one site's URLs; `key` proves that they are the site's owner's.

    The key is in a text file at the site's root, which the engines read: it covers the URLs below that. `write_key`
    writes the file, where that is asked for, from its name and content. An answer may take `timeout` seconds.
    `private` are the hosts of private networks that may be asked. With `has_other_hosts`, URLs of other hosts are sent,
    too, if the key is at their root.
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
        *,
        has_other_hosts: bool = False,
    ) -> None:
        self._key, self._base_url, self._engine = key, base_url, engine
        self._write_key, self._timeout, self._private = write_key, timeout, private
        self._has_other_hosts = has_other_hosts
        self._own = _Site(urlsplit(base_url).netloc, f"{base_url}{key_file(key)}")

    def would_send(self, results: Iterable[PublishResult]) -> Sent:
        """The URLs that would be sent, if the key files are right, and those that are not below a key file."""
        count = _Count()
        count.sent = sum(1 for _ in self._covered(results, count))
        return count.total

    def notify(self, results: Iterable[PublishResult]) -> Sent:
        """Send the URLs, those of each host in requests of their own of 10,000, after a look at its key file."""
        count, waiting = _Count(), dict[_Site, list[str]]()
        for site, url in self._covered(results, count):
            waiting.setdefault(site, []).append(url)
            if len(waiting[site]) == _MOST_URLS:
                self._send_of(site, waiting.pop(site), count)
        for site, urls in waiting.items():
            self._send_of(site, urls, count)
        if count.dropped_count and not count.sent:
            raise AnnounceError(f"no URL was sent: {count.dropped[0].reason}")
        return count.total

    def _covered(self, results: Iterable[PublishResult], count: "_Count") -> Iterator[tuple[_Site, str]]:
        """The URLs that a key file covers, each once and with its host; the others are dropped."""
        seen = set[str]()
        for url in (url for result in results for url in result.changes.urls):
            if url in seen:
                continue
            seen.add(url)
            site = self._site_of(url)
            if isinstance(site, str):
                count.drop([url], site)
            else:
                yield site, url

    def _site_of(self, url: str) -> _Site | str:
        """The host that a URL belongs to, or why it is not sent."""
        if url.startswith(self._base_url):
            return self._own
        host = urlsplit(url).netloc
        if host.lower() == self._own.host.lower():
            return f"it is not below {self._base_url}, which the key file covers"
        if not self._has_other_hosts:
            return f"it is not on the host of {self._base_url}"
        return _Site(host, f"{origin_of(url)}/{key_file(self._key)}")

    def _send_of(self, site: _Site, urls: list[str], count: "_Count") -> None:
        """Send the URLs of one host; those of another host than the site's own are dropped if that is refused."""
        try:
            if site not in count.checked:
                self._check_key(site)
                count.checked.add(site)
            self._send(site, urls)
            count.sent += len(urls)
        except AnnounceError as error:
            if site != self._own:
                count.drop(urls, str(error))
                return
            if count.sent:
                error.args = (f"{count.sent:,} URLs were accepted, then: {error}", *error.args[1:])
            raise

    def _check_key(self, site: _Site) -> None:
        """Raise AnnounceError unless the key file holds the key: the engines would refuse all URLs."""
        problem = self._key_problem(site.key_url)
        if problem and self._write_key and site == self._own:
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

    def _key_problem(self, key_url: str) -> str:
        """What is wrong with the key file, or `""`; raises TryLaterError if the site does not answer."""
        try:
            found = self._answer(HttpRequest("GET", key_url, _HEADERS), _MOST_KEY_BYTES)
        except StatusError as error:
            if error.status >= 500 or error.status == 429:
                raise TryLaterError(f"{key_url} answers {error.status}", _retry_after(error)) from None
            return f"{key_url} answers {error.status}"
        except OSError as error:
            raise TryLaterError(f"{key_url} cannot be read: {error.strerror or error}", _RETRY_AFTER) from None
        is_right = found.decode("utf-8", "replace").strip() == self._key
        return "" if is_right else f"{key_url} does not hold the key"

    @property
    def _remedy(self) -> str:
        return f"publish a file {key_file(self._key)} that holds only the key"

    def _send(self, site: _Site, urls: list[str]) -> None:
        body = {"host": site.host, "key": self._key, "keyLocation": site.key_url, "urlList": urls}
        headers = {**_HEADERS, "Content-Type": "application/json; charset=utf-8"}
        request = HttpRequest("POST", self._engine, headers, json.dumps(body).encode())
        try:
            self._answer(request, 0)
        except StatusError as error:
            raise self._refusal(error, site) from None
        except OSError as error:
            raise TryLaterError(f"{self._engine} does not answer: {error.strerror or error}", _RETRY_AFTER) from None

    def _answer(self, request: HttpRequest, size: int) -> bytes:
        return http_requests.send(
            request, timeouts=Timeouts(self._timeout, self._timeout), most=size, guard=self._private
        )

    def _refusal(self, error: StatusError, site: _Site) -> AnnounceError:
        """What an answer says (IndexNow, "Response format")."""
        if error.status == 429 or error.status >= 500:
            return TryLaterError(f"{self._engine} answers {error.status}", _retry_after(error))
        folder = f"{site.key_url.rpartition('/')[0]}/"
        meaning = {
            400: "it does not understand the request",
            403: f"it does not accept the key; {self._remedy}, and look whether {site.key_url} shows it",
            422: f"the URLs are not below {folder}, or the key is not made of 8 to 128 letters, digits and `-`",
        }.get(error.status, "look at what this engine supports")
        return AnnounceError(f"{self._engine} answers {error.status}: {meaning}")


class _Count:
    """What was sent and dropped so far, and the hosts whose key files were looked at."""

    def __init__(self) -> None:
        self.sent, self.dropped_count = 0, 0
        self.dropped: list[DroppedUrl] = []
        self.checked: set[_Site] = set()

    def drop(self, urls: Sequence[str], reason: str) -> None:
        """Note URLs that are not sent."""
        self.dropped_count += len(urls)
        self.dropped += [DroppedUrl(url, reason) for url in urls[: max(0, _MOST_SHOWN - len(self.dropped))]]

    @property
    def total(self) -> Sent:
        """The counts."""
        return Sent(self.sent, 0, self.dropped_count, tuple(self.dropped))


_HEADERS = {"User-Agent": f"waypost/{__version__}"}


def key_file(key: str) -> str:
    """The name of the file that holds a key."""
    return f"{key}.txt"


def _retry_after(error: StatusError) -> float:
    """The seconds that an answer asks to wait, if it does so in seconds."""
    wanted = error.headers.get("Retry-After", "")
    return min(float(wanted), _LONGEST_RETRY) if wanted.isdecimal() else _RETRY_AFTER
