import pytest

from waypost.audit.server_rules import server_rules


def answers(path: str, site_path: str = "/", **files: str) -> bool:
    named = {
        name.replace("htaccess", ".htaccess").replace("spa", "200.html"): text.encode() for name, text in files.items()
    }
    return server_rules(named.get, site_path)(path)


@pytest.mark.parametrize(
    ("rule", "path", "expected"),
    [
        ("/old /new 301", "old", True),
        ("/old /new 301", "old/", True),
        ("/old /new 301", "older", False),
        ("/blog/* /news/:splat", "blog/a/b", True),
        ("/user/:id/x /u", "user/7/x", True),
        ("/user/:id/x /u", "user/7/8/x", False),
        ("# /old /new", "old", False),
        ("/* /index.html 200", "anything/at/all", True),
        ("https://old.example/x /y", "x", False),
        ("", "x", False),
    ],
)
def test_a_rule_of_netlify_or_cloudflare_answers(rule: str, path: str, *, expected: bool) -> None:
    assert answers(path, _redirects=rule) is expected


@pytest.mark.parametrize(
    ("rule", "path", "expected"),
    [
        ("Redirect 301 /old /new", "old/page", True),
        ("Redirect permanent /old https://example.org/", "old", True),
        ("RedirectPermanent /old /new", "new", False),
        ("RewriteRule ^x$ y", "anything", True),
        ("  rewriterule ^x$ y", "anything", True),
        ("# RewriteRule ^x$ y", "anything", False),
        ("ErrorDocument 404 /404.html", "x", False),
    ],
)
def test_a_rule_of_apache_answers(rule: str, path: str, *, expected: bool) -> None:
    assert answers(path, htaccess=rule) is expected


def test_the_paths_of_rules_begin_at_the_host() -> None:
    assert answers("old", "/docs/", _redirects="/docs/old /x")
    assert not answers("old", "/docs/", _redirects="/old /x")


def test_a_page_for_any_url_answers_everything() -> None:
    assert answers("x", spa="<html>")
    assert not answers("x")
