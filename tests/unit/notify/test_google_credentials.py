"""Access tokens by a service account's key and by workload identity, from a server that checks what it is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from webmaster_apis import ACCOUNT, WebmasterApis

from waypost.core.errors import AnnounceError, TryLaterError
from waypost.notify.google_credentials import VARIABLE, GoogleCredentials

if TYPE_CHECKING:
    from pathlib import Path


def credentials(file: Path, monkeypatch: pytest.MonkeyPatch) -> GoogleCredentials:
    monkeypatch.setenv(VARIABLE, str(file))
    return GoogleCredentials()


def test_a_service_account_gets_a_token_and_keeps_it_until_it_is_refused(
    webmasters: WebmasterApis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = credentials(webmasters.service_account(tmp_path / "key.json"), monkeypatch)
    assert (found.account, found.token(), found.token()) == (ACCOUNT, "token-1", "token-1")
    assert found.token(is_renewed=True) == "token-2"
    assert webmasters.requests == ["POST /token"] * 2


def test_a_workload_identity_exchanges_the_token_of_its_provider(
    webmasters: WebmasterApis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "waypost")  # google-auth looks the project up if it is not known
    found = credentials(webmasters.workload_identity(tmp_path / "identity.json"), monkeypatch)
    assert (found.token(), found.account) == ("token-1", "")
    assert webmasters.requests == ["POST /sts"]


@pytest.mark.parametrize("content", ["", "<html>", "[]", "{}", '{"type": "service_account"}', '{"type": "other"}'])
def test_a_file_that_holds_no_credentials_is_named_by_its_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    file = tmp_path / "key.json"
    file.write_text(content)
    with pytest.raises(AnnounceError, match=f"the credentials in {VARIABLE} cannot be used: .*; it must be the path"):
        credentials(file, monkeypatch).token()


def test_a_file_that_cannot_be_read_is_an_error_when_a_token_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(AnnounceError, match="was not found"):
        credentials(tmp_path / "none.json", monkeypatch).token()
    with pytest.raises(AnnounceError, match="Is a directory"):
        credentials(tmp_path, monkeypatch).token()


def test_an_account_that_is_gone_is_told_by_google(
    webmasters: WebmasterApis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = webmasters.service_account(tmp_path / "key.json", client_email="gone@waypost.iam.gserviceaccount.com")
    with pytest.raises(
        AnnounceError, match=r"gives no token .*: invalid_grant: Invalid grant: account not found; look"
    ):
        credentials(file, monkeypatch).token()


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"{}", b"\xff", b'{"access_token": 1, "expires_in": "soon"}'])
def test_a_broken_answer_instead_of_a_token_is_an_error(
    webmasters: WebmasterApis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: bytes
) -> None:
    webmasters.refuse("/token", (200, body))
    with pytest.raises(AnnounceError, match="Google gives no token"):
        credentials(webmasters.service_account(tmp_path / "key.json"), monkeypatch).token()


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/token", "file:///etc/passwd", "nothing"])
def test_a_token_server_that_cannot_be_asked_may_answer_later(
    webmasters: WebmasterApis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    file = webmasters.service_account(tmp_path / "key.json", token_uri=url)
    with pytest.raises(TryLaterError, match="the token for Google could not be requested"):
        credentials(file, monkeypatch).token()
