"""GitHub's REST and GraphQL APIs, and how a step reaches them and the server: its token, and Git's credentials."""

import base64
import errno
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from waypost.core.errors import AnnounceError
from waypost.files import http_requests
from waypost.files.guarded_http import Timeouts
from waypost.files.http_client import HttpRequest
from waypost.files.http_requests import StatusError

OWN_TOKEN = "WAYPOST_GITHUB_TOKEN"  # noqa: S105 - it is a name
"""The variable with the workflow's own token."""
_SERVER_URL = "https://github.com"
_TIMEOUTS = Timeouts(idle=30, total=120)
_MOST_BYTES = 33_554_432
_ATTEMPTS = 4
_FIRST_PAUSE, _LONGEST_PAUSE = 2, 60
_RATE_LIMIT = "rate limit"
"""Part of the text with which GitHub refuses a request for now, with the status 403 or 429."""
_REMOTE = re.compile(r"(?:\w+://)?(?:[^@/]*@)?(?P<host>[^/:@]+(?::\d+(?=/))?)[:/](?P<path>[^/]+/[^/]+?)(?:\.git)?/?")


class GitHubError(AnnounceError):
    """GitHub has refused a request; `status` is HTTP's, and 200 for an error of GraphQL."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class GitHubApi:
    """The API of one repository (`owner/name`), with one token; what GitHub refuses only for now is sent again.

    `server_url` is the server of GitHub's that has the repository, and the other URLs are those of the server's APIs.
    """

    def __init__(
        self,
        repository: str,
        token: str,
        sleep: Callable[[float], None] = time.sleep,
        /,
        *,
        api_url: str = "https://api.github.com",
        graphql_url: str = "https://api.github.com/graphql",
        server_url: str = _SERVER_URL,
    ) -> None:
        self.repository, self._token, self._sleep = repository, token, sleep
        self._api_url, self._graphql_url, self.server_url = api_url, graphql_url, server_url

    def rest(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """The answer to a request below the repository's own path; raises GitHubError, or AnnounceError without one."""
        return self._send(method, f"{self._api_url}/repos/{self.repository}/{path}", body)

    def graphql(self, query: str, variables: Mapping[str, Any]) -> Any:
        """The data of an answer; raises GitHubError also for the errors that GitHub sends with the status 200."""
        answer = self._send("POST", self._graphql_url, {"query": query, "variables": variables})
        if errors := answer.get("errors"):
            raise GitHubError(200, "; ".join(str(each.get("message", each)) for each in errors))
        return answer["data"]

    def is_of_another(self, url: str) -> bool:
        """Whether the URL of a remote, as `https://…` or `git@…:…`, names another repository on the same server."""
        match = _REMOTE.fullmatch(url)
        server = self.server_url.partition("://")[2]
        return match is not None and match["host"] == server and match["path"].lower() != self.repository.lower()

    def _send(self, method: str, url: str, body: Mapping[str, Any] | None) -> Any:
        """Send a request; a write that has failed is not repeated, because it may have taken effect."""
        pause = float(_FIRST_PAUSE)
        for left in reversed(range(_ATTEMPTS)):
            try:
                return self._answer(method, url, body)
            except StatusError as error:
                message, wait = _message(error), error.headers.get("Retry-After", "")
                is_refused_for_now = error.status == 429 or (error.status == 403 and _RATE_LIMIT in message.lower())
                if not left or not (is_refused_for_now or (error.status >= 500 and method == "GET")):
                    raise GitHubError(error.status, message) from None
                self._sleep(min(float(wait) if wait.isdecimal() else pause, _LONGEST_PAUSE))
            except OSError as error:
                if not left or method != "GET":
                    raise AnnounceError(f"GitHub's API at {url} does not answer: {error.strerror or error}") from None
                self._sleep(pause)
            pause *= 2
        raise AssertionError("the last attempt returns or raises")

    def _answer(self, method: str, url: str, body: Mapping[str, Any] | None) -> Any:
        headers = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {self._token}",
            "Content-Type": "application/json",
            "User-Agent": "waypost",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        data = None if body is None else json.dumps(body).encode()
        content = http_requests.send(HttpRequest(method, url, headers, data), timeouts=_TIMEOUTS, most=_MOST_BYTES)
        try:
            return json.loads(content) if content else None
        except (ValueError, RecursionError):
            raise OSError(errno.EIO, "the answer is no JSON") from None


def _message(error: StatusError) -> str:
    """What GitHub says of a refusal, with the errors of single fields."""
    try:
        found = json.loads(error.body)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        return f"HTTP {error.status}"
    errors = found.get("errors") or []
    more = [str(each.get("message") or each) if isinstance(each, dict) else str(each) for each in errors]
    return "; ".join([str(found.get("message") or f"HTTP {error.status}"), *more])


def github_api(token: str, environ: Mapping[str, str]) -> GitHubApi | None:
    """The API of the workflow's repository, with this token or the workflow's own; None without any token."""
    token = token or environ.get(OWN_TOKEN, "")
    if not (token and environ.get("GITHUB_REPOSITORY")):
        return None
    names = ("api_url", "graphql_url", "server_url")
    urls = {name: url for name in names if (url := environ.get(f"GITHUB_{name.upper()}"))}
    return GitHubApi(environ["GITHUB_REPOSITORY"], token, **urls)


def require_api(api: GitHubApi | None) -> GitHubApi:
    """The API; raises AnnounceError if there is no token for it."""
    if api is None:
        raise AnnounceError("a pull request needs GitHub's API, and there is no token; set `token`")
    return api


def git_credentials(token: str, environ: Mapping[str, str]) -> Sequence[tuple[str, str]]:
    """Settings with which Git sends a token to GitHub's server, and no header that actions/checkout has left.

    An empty value removes the values before it (`http.extraHeader`, git-config).
    """
    if not token:
        return ()
    key = f"http.{environ.get('GITHUB_SERVER_URL') or _SERVER_URL}/.extraheader"
    value = base64.b64encode(f"x-access-token:{token}".encode()).decode()
    return [(key, ""), (key, f"AUTHORIZATION: basic {value}")]
