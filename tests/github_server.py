"""GitHub's API over a bare repository: what Waypost asks of it, with GitHub's checks and refusals."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import tempfile
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

from servers import Local

from waypost.github.api import GitHubApi

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

REPOSITORY, TOKEN = "owner/site", "a-token"
MAX_ADDITIONS = 100
_IDENTITY = {
    f"GIT_{role}_{part}": value
    for role, name in (("AUTHOR", "the owner of the token"), ("COMMITTER", "GitHub"))
    for part, value in (("NAME", name), ("EMAIL", "noreply@github.com"))
}


class RefusedError(Exception):
    """A refusal: the status of HTTP, and the message."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class GitHubServer(Local):
    """GitHub for one repository.

    `pulls` are its pull requests by number, `requests` the method and path of each request, `refusals` what the next
    requests with a path that ends so are answered instead (status and message). `protected` branches cannot be moved
    through the API. `before` is called with each request, before it is answered.
    """

    def __init__(self, origin: Path) -> None:
        super().__init__(_Handler)
        self.origin = origin
        self.pulls: dict[int, dict[str, Any]] = {}
        self.comments: list[str] = []
        self.authors: dict[int, str] = {}
        self.requests: list[str] = []
        self.refusals: dict[str, list[tuple[int, str]]] = {}
        self.protected: set[str] = set()
        self.before: dict[str, Any] = {}

    @property
    def variables(self) -> dict[str, str]:
        """The runner's variables for this server."""
        return {
            "GITHUB_API_URL": self.url,
            "GITHUB_GRAPHQL_URL": f"{self.url}/graphql",
            "GITHUB_SERVER_URL": self.url,
            "GITHUB_REPOSITORY": REPOSITORY,
            "WAYPOST_GITHUB_TOKEN": TOKEN,
        }

    def api(self, token: str = TOKEN, sleep: Callable[[float], None] = lambda seconds: None) -> GitHubApi:
        """The product's own API of this server, which does not wait."""
        urls = {"api_url": self.url, "graphql_url": f"{self.url}/graphql", "server_url": self.url}
        return GitHubApi(REPOSITORY, token, sleep, **urls)

    def git(self, *arguments: str, stdin: bytes | None = None, index: str = "") -> str:
        done = subprocess.run(
            ["git", "-C", str(self.origin), *arguments],
            input=stdin,
            capture_output=True,
            env={**os.environ, **_IDENTITY, **({"GIT_INDEX_FILE": index} if index else {})},
            check=False,
        )
        if done.returncode:
            raise RefusedError(422, done.stderr.decode())
        return done.stdout.decode().strip()

    def tip(self, branch: str) -> str | None:
        found = self.git("for-each-ref", "--format=%(objectname)", f"refs/heads/{branch}")
        return found or None

    def answer(self, method: str, path: str, body: Any) -> Any:
        """The answer to a request; raises RefusedError."""
        self.requests.append(f"{method} {path.partition('?')[0]}")
        if changed := self.before.pop(f"{method} {path.partition('?')[0]}", None):
            changed()
        for ending, refusals in self.refusals.items():
            if path.partition("?")[0].endswith(ending) and refusals:
                raise RefusedError(*refusals.pop(0))
        if path == "/graphql":
            return self._graphql(body)
        match = re.fullmatch(rf"/repos/{REPOSITORY}/([^?]*)(\?.*)?", path)
        if not match:
            raise RefusedError(404, "Not Found")
        return self._rest(method, unquote(match[1]), parse_qs(urlsplit(path).query), body)

    def _rest(self, method: str, path: str, query: dict[str, list[str]], body: Any) -> Any:
        number = int(found[0]) if (found := re.findall(r"/(\d+)", path)) else 0
        match method, re.sub(r"\d+", "N", path) if number else path:
            case "POST", "git/refs":
                return self._create(body["ref"].removeprefix("refs/heads/"), body["sha"])
            case "GET", "pulls":
                return [each for each in self.pulls.values() if self._matches(each, query)]
            case "POST", "pulls":
                return self._open(body)
            case "PATCH", "pulls/N":
                self.pulls[number] |= body
                return self.pulls[number]
            case "POST", "issues/N/labels":
                self.pulls[number]["labels"] += [{"name": name} for name in body["labels"]]
                return self.pulls[number]["labels"]
            case "GET", "issues/N/comments":
                size, page = int(query["per_page"][0]), int(query["page"][0])
                known = [
                    {"id": id_, "body": body, "user": {"login": self.authors.get(id_, "github-actions[bot]")}}
                    for id_, body in enumerate(self.comments, 1)
                ]
                return known[size * (page - 1) : size * page]
            case "PATCH", "issues/comments/N":
                self.comments[number - 1] = body["body"]
                return {}
            case "POST", "issues/N/comments":
                self.comments.append(body["body"])
                return {}
        if path.startswith("git/refs/heads/") and method in ("PATCH", "DELETE"):
            return self._move(method, path.removeprefix("git/refs/heads/"), body)
        raise RefusedError(404, "Not Found")

    def _matches(self, pull: dict[str, Any], query: dict[str, list[str]]) -> bool:
        owner, _, branch = query["head"][0].partition(":")
        of_branch = (
            owner == REPOSITORY.partition("/")[0] and pull["head"] == branch and pull["base"] == query["base"][0]
        )
        return of_branch and pull["state"] == query["state"][0]

    def _create(self, branch: str, commit: str) -> Any:
        if self.tip(branch):
            raise RefusedError(422, "Reference already exists")
        self.git("update-ref", f"refs/heads/{branch}", commit)
        return {"ref": f"refs/heads/{branch}"}

    def _move(self, method: str, branch: str, body: Any) -> Any:
        present = self.tip(branch)
        if present is None:
            raise RefusedError(422, "Reference does not exist")
        if branch in self.protected:
            raise RefusedError(422, "Changes must be made through a pull request. (protected branch)")
        if method == "DELETE":
            self.git("update-ref", "-d", f"refs/heads/{branch}")
            return None
        if not body["force"] and self.git("merge-base", present, body["sha"]) != present:
            raise RefusedError(422, "Update is not a fast forward")
        self.git("update-ref", f"refs/heads/{branch}", body["sha"])
        self._close_pulls_without_commits()
        return {}

    def _open(self, body: Any) -> Any:
        head, base = self.tip(body["head"]), self.tip(body["base"])
        if head is None or base is None or self.git("rev-list", "--count", f"{base}..{head}") == "0":
            raise RefusedError(422, "Validation Failed")
        number = len(self.pulls) + 1
        url = f"{self.url}/{REPOSITORY}/pull/{number}"
        self.pulls[number] = {**body, "number": number, "state": "open", "labels": [], "html_url": url}
        return self.pulls[number]

    def _close_pulls_without_commits(self) -> None:
        for pull in self.pulls.values():
            if self.git("rev-list", "--count", f"{pull['base']}..{pull['head']}") == "0":
                pull["state"] = "closed"

    def merge(self, number: int) -> None:
        """Squash and merge a pull request, as its button does; the branch stays."""
        pull = self.pulls[number]
        base = self.git("rev-parse", f"refs/heads/{pull['base']}")
        tree = self.git("merge-tree", "--write-tree", base, f"refs/heads/{pull['head']}")
        commit = self.git("commit-tree", tree, "-p", base, "-m", pull["title"])
        self.git("update-ref", f"refs/heads/{pull['base']}", commit)
        pull["state"] = "closed"

    def _graphql(self, body: Any) -> Any:
        if "viewer" in body["query"]:
            return {"data": {"viewer": {"login": "github-actions[bot]"}}}
        assert "createCommitOnBranch(input: $input)" in body["query"]
        given = body["variables"]["input"]
        try:
            oid = self._commit(given)
        except RefusedError as refusal:
            return {"data": {"createCommitOnBranch": None}, "errors": [{"message": str(refusal)}]}
        return {"data": {"createCommitOnBranch": {"commit": {"oid": oid}}}}

    def _commit(self, given: Any) -> str:
        assert given.keys() == {"branch", "expectedHeadOid", "message", "fileChanges"}
        assert given["branch"]["repositoryNameWithOwner"] == REPOSITORY
        branch, expected = given["branch"]["branchName"], given["expectedHeadOid"]
        if branch in self.protected:
            raise RefusedError(422, "Repository rule violations found: Changes must be made through a pull request.")
        if self.tip(branch) != expected:
            raise RefusedError(422, f'Expected branch to point to "{expected}" but it did not. Pull and try again.')
        additions, deletions = given["fileChanges"]["additions"], given["fileChanges"]["deletions"]
        if len(additions) > MAX_ADDITIONS:
            raise RefusedError(422, "A query attribute must be specified and must be a string with too many additions")
        with tempfile.TemporaryDirectory() as folder:
            index = f"{folder}/index"
            self.git("read-tree", expected, index=index)
            for each in additions:
                blob = self.git("hash-object", "-w", "--stdin", stdin=base64.b64decode(each["contents"], validate=True))
                self.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{each['path']}", index=index)
            for each in deletions:
                self.git("update-index", "--index-info", stdin=f"0 {'0' * 40}\t{each['path']}\n".encode(), index=index)
            tree = self.git("write-tree", index=index)
        text = "\n\n".join(filter(None, [given["message"]["headline"], given["message"]["body"]]))
        commit = self.git("commit-tree", tree, "-p", expected, "-m", text)
        self.git("update-ref", f"refs/heads/{branch}", commit)
        return commit


class _Handler(BaseHTTPRequestHandler):
    server: GitHubServer

    def handle_request(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length)) if length else None
        try:
            if self.headers.get("Authorization") != f"Bearer {TOKEN}":
                raise RefusedError(401, "Bad credentials")
            status, found = 200, self.server.answer(self.command, self.path, body)
        except RefusedError as refusal:
            status, found = refusal.status, {"message": str(refusal)}
        content = b"" if found is None else json.dumps(found).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        if status in (403, 429):
            self.send_header("Retry-After", "0")
        self.end_headers()
        self.wfile.write(content)

    def __getattr__(self, name: str) -> Any:
        """The base class calls `do_GET` and the like."""
        if name.startswith("do_"):
            return self.handle_request
        raise AttributeError(name)

    def log_message(self, *args: Any) -> None:
        """Log nothing: tests look at `requests`."""
