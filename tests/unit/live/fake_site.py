"""A server in memory, and the pieces of its answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from waypost.files.http_headers import HttpHeaders
from waypost.live.robots_rules import made_up_url
from waypost.live.transport import LiveRequest, Reply

SITE = "https://www.example.org"
HTML = {"Content-Type": "text/html; charset=utf-8"}
Given = Reply | OSError | Callable[[LiveRequest], Reply]


def reply(status: int = 200, body: str | bytes = b"", **headers: str) -> Reply:
    """An answer of a page; the keyword `Last_Modified` sets the header Last-Modified."""
    sent = HTML | {name.replace("_", "-"): value for name, value in headers.items()}
    given = HttpHeaders((name, value) for name, value in sent.items() if value)
    return Reply(status, given, body.encode() if isinstance(body, str) else body)


class FakeSite:
    """Answers requests as `HttpSender` does: by `METHOD url`, or else by URL; what is unknown has the status 404.

    `asked` has all requests in order.
    """

    def __init__(self, answers: Mapping[str, Given] | None = None) -> None:
        self.answers: dict[str, Given] = dict(answers or {})
        self.asked: list[LiveRequest] = []

    def __call__(self, request: LiveRequest) -> Reply:
        self.asked.append(request)
        unknown = self.answers.get(request.url, reply(404))
        found = self.answers.get(f"{request.method} {request.url}", unknown)
        if isinstance(found, OSError):
            raise found
        given = found if isinstance(found, Reply) else found(request)
        is_wanted = request.read_types is None or given.content_type in request.read_types
        is_read = request.method == "GET" and given.status in request.read_statuses and is_wanted
        return given if is_read else Reply(given.status, given.headers)

    @property
    def lines(self) -> list[str]:
        """The method and the URL of each request, without those for robots.txt and for made-up URLs."""
        of_hosts = ("/robots.txt", made_up_url(SITE))
        return [f"{each.method} {each.url}" for each in self.asked if not each.url.endswith(of_hosts)]
