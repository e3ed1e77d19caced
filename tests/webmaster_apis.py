"""Google's Search Console API and Bing's Webmaster API on a server that keeps what was submitted, with refusals.

It also gives the access tokens: for the signed assertion of a service account, and for the token of an identity
provider (workload identity).
"""

from __future__ import annotations

import base64
import json
from functools import cache
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, parse_qsl, unquote, urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from servers import Local

if TYPE_CHECKING:
    from pathlib import Path

ACCOUNT = "sitemaps@waypost.iam.gserviceaccount.com"
BING_KEY = "0123456789abcdef+/0123456789abcdef"
PROPERTY, SITEMAP = "https://www.waypost.dev/", "https://www.waypost.dev/sitemap.xml"
SCOPE = "https://www.googleapis.com/auth/webmasters"
READ_AT = "2026-11-20T10:15:00Z"
Refusal = tuple[int, Any]
"""A status, and a body: bytes as they are, anything else as JSON."""


@cache
def _key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65_537, key_size=2_048)


def google_error(status: int, reason: str, message: str = "It was refused.") -> Refusal:
    """An error as Google's APIs write it."""
    errors = [{"message": message, "domain": "global", "reason": reason}]
    return status, {"error": {"code": status, "message": message, "errors": errors}}


def bing_error(code: int, message: str) -> Refusal:
    """An error as Bing's API writes it."""
    return 400, {"ErrorCode": code, "Message": f"ERROR!!! {message}"}


class RefusedError(Exception):
    """An answer other than success."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.status, self.body = refusal


class WebmasterApis(Local):
    """Both APIs at `/google` and `/bing`.

    `properties` are those of which the account is a user, `sites` those of the user of Bing's key. `google` and `bing`
    have what was submitted, by property and sitemap. `refusals` are the answers to the next requests whose path begins
    so, in order. `requests` are the methods and paths of all requests,
    `tokens` the access tokens that are accepted now.
    """

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.properties, self.known_properties, self.sites = {PROPERTY}, {PROPERTY}, {PROPERTY}
        self.google: dict[tuple[str, str], dict[str, Any]] = {}
        self.bing: dict[tuple[str, str], dict[str, Any]] = {}
        self.refusals: dict[str, list[Refusal]] = {}
        self.requests: list[str] = []
        self.tokens: list[str] = []
        self.token_count = 0

    @property
    def google_url(self) -> str:
        return f"{self.url}/google"

    @property
    def bing_url(self) -> str:
        return f"{self.url}/bing"

    def service_account(self, file: Path, **changed: str) -> Path:
        """Write the file of a service account's key, whose tokens this server gives."""
        private = _key().private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        fields = {
            "type": "service_account",
            "project_id": "waypost",
            "private_key_id": "1",
            "private_key": private.decode(),
            "client_email": ACCOUNT,
            "client_id": "1",
            "token_uri": f"{self.url}/token",
        }
        file.write_text(json.dumps(fields | changed))
        return file

    def workload_identity(self, file: Path) -> Path:
        """Write a configuration of workload identity, whose tokens this server exchanges."""
        subject = file.with_suffix(".jwt")
        subject.write_text("the token of the identity provider")
        provider = "projects/1/locations/global/workloadIdentityPools/pool/providers/provider"
        fields = {
            "type": "external_account",
            "audience": f"//iam.googleapis.com/{provider}",
            "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
            "token_url": f"{self.url}/sts",
            "credential_source": {"file": str(subject)},
        }
        file.write_text(json.dumps(fields))
        return file

    def refuse(self, path: str, *refusals: Refusal) -> None:
        """Refuse the next requests whose path begins so."""
        self.refusals[path] = list(refusals)

    def expire_tokens(self) -> None:
        """Accept none of the tokens that were given."""
        self.tokens.clear()

    def answer(self, method: str, path: str, headers: Any, body: bytes) -> Any:
        """The answer to a request; raises RefusedError."""
        self.requests.append(f"{method} {path}")
        for beginning, refusals in self.refusals.items():
            if path.startswith(beginning) and refusals:
                raise RefusedError(refusals.pop(0))
        parts = urlsplit(path)
        match parts.path.split("/")[1:]:
            case ["token"]:
                return self._token(dict(parse_qsl(body.decode())))
            case ["sts"]:
                return self._exchange(dict(parse_qsl(body.decode())))
            case ["google", "sites", site, "sitemaps", sitemap]:
                return self._google(method, unquote(site), unquote(sitemap), headers.get("Authorization"))
            case ["bing", name]:
                return self._bing(method, name, parse_qs(parts.query), body)
        raise RefusedError((404, b""))

    def _token(self, given: dict[str, str]) -> Any:
        """A token for an assertion (RFC 7523) that is signed by the key of the account."""
        content, _, signature = given["assertion"].rpartition(".")
        _key().public_key().verify(_decoded(signature), content.encode(), padding.PKCS1v15(), hashes.SHA256())
        claims = json.loads(_decoded(content.split(".")[1]))
        if (claims["iss"], claims["scope"]) != (ACCOUNT, SCOPE):
            raise RefusedError(
                (400, {"error": "invalid_grant", "error_description": "Invalid grant: account not found"})
            )
        return self._new_token()

    def _exchange(self, given: dict[str, str]) -> Any:
        """A token for one of an identity provider (RFC 8693)."""
        assert given["subject_token"] == "the token of the identity provider"
        assert given["scope"] == SCOPE
        return {**self._new_token(), "issued_token_type": "urn:ietf:params:oauth:token-type:access_token"}

    def _new_token(self) -> dict[str, Any]:
        self.token_count += 1
        self.tokens.append(f"token-{self.token_count}")
        return {"access_token": self.tokens[-1], "token_type": "Bearer", "expires_in": 3_600}

    def _google(self, method: str, site: str, sitemap: str, authorization: str | None) -> Any:
        if authorization not in [f"Bearer {token}" for token in self.tokens]:
            raise RefusedError(google_error(401, "authError", "Invalid Credentials"))
        if site not in self.known_properties:
            raise RefusedError(google_error(404, "notFound", f"'{site}' not found."))
        if site not in self.properties:
            raise RefusedError(
                google_error(403, "forbidden", f"User does not have sufficient permission for '{site}'.")
            )
        if method == "PUT":
            self.google.setdefault((site, sitemap), _google_sitemap(sitemap))
            return None
        if (site, sitemap) not in self.google:
            raise RefusedError(google_error(404, "notFound", "Not found."))
        return self.google[site, sitemap]

    def _bing(self, method: str, name: str, query: dict[str, list[str]], body: bytes) -> Any:
        given = json.loads(body) if body else {key: values[0] for key, values in query.items()}
        if query.get("apikey") != [BING_KEY]:
            raise RefusedError(bing_error(3, "InvalidApiKey"))
        if given["siteUrl"] not in self.sites:
            raise RefusedError(bing_error(14, "NotAuthorized"))
        place = given["siteUrl"], given["feedUrl"]
        match method, name:
            case "POST", "SubmitFeed":
                self.bing.setdefault(place, _bing_feed(given["feedUrl"]))
                return {"d": None}
            case "GET", "GetFeedDetails":
                return {"d": [self.bing[place]] if place in self.bing else []}
        raise RefusedError((404, b""))


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _google_sitemap(sitemap: str) -> dict[str, Any]:
    return {
        "path": sitemap,
        "lastSubmitted": "2026-11-20T10:00:00.000Z",
        "isPending": False,
        "isSitemapsIndex": False,
        "type": "sitemap",
        "lastDownloaded": "2026-11-20T10:15:00.123Z",
        "warnings": "2",
        "errors": "0",
        "contents": [
            {"type": "web", "submitted": "1234", "indexed": "0"},
            {"type": "image", "submitted": "12", "indexed": "0"},
        ],
    }


def _bing_feed(sitemap: str) -> dict[str, Any]:
    return {
        "__type": "Feed:#Microsoft.Bing.Webmaster.Api",
        "Compressed": False,
        "FileSize": 2_048,
        "LastCrawled": "/Date(1795169700000-0800)/",
        "Status": "Success",
        "Submitted": "/Date(1795168800000-0800)/",
        "Type": "Sitemap",
        "Url": sitemap,
        "UrlCount": 1_246,
    }


class _Handler(BaseHTTPRequestHandler):
    server: WebmasterApis

    def handle_request(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            status, found = 200, self.server.answer(self.command, self.path, self.headers, body)
        except RefusedError as refusal:
            status, found = refusal.status, refusal.body
        content = found if isinstance(found, bytes) else b"" if found is None else json.dumps(found).encode()
        self.send_response(status)
        if 300 <= status < 400:
            self.send_header("Location", content.decode())
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def __getattr__(self, name: str) -> Any:
        """The base class calls `do_GET` and the like."""
        if name.startswith("do_"):
            return self.handle_request
        raise AttributeError(name)

    def log_message(self, *args: Any) -> None:
        """Log nothing: tests look at `requests`."""
