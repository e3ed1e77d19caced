import pytest

from waypost.project.server_rules import read_server_rules


def answers(path: str, site_path: str = "/", **files: str) -> bool:
    named = {
        {"htaccess": ".htaccess", "spa": "200.html", "missing": "404.html"}.get(name, name): text.encode()
        for name, text in files.items()
    }
    return read_server_rules(named.get, site_path)(path)


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
        ("/a/*/z /x", "a/b/c/z", True),
        ("/a/*/z /x", "a/z", False),
        ("/a/b*y /x", "a/b/y", True),
        ("/a/b*y /x", "a/by", True),
        ("/a/b*by /x", "a/by", False),
        ("/:lang/*/x /y", "de/a/b/x/", True),
        ("/:lang/* /y", "de", False),
        ("/:a-:b.html /x", "1-2.html", True),
        ("/:a-:b.html /x", "-2.html", False),
        ("/:a-:b.html /x", "1-.html", False),
        ("/:a:b /x", "1", False),
        ("/a/:id /x", "a/", False),
        ("/a/ /x", "a/", True),
        ("/a/ /x", "a", False),
        ("/a.b /x", "axb", False),
        ("/a/*/b/*/c /x", "a/1/b/2/c", True),
        ("/a/*/b/*/c /x", "a/anything", False),
        ("/old /404.html 404", "old", False),
        ("/old /new 301 Country=de", "old", True),
        ("/a/*/b/*/c /x", "b", False),
        ("/a/*:x /y", "a/anything", True),
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
        ("Redirect /a /x\nRedirect /ab /y", "ac", True),
        ("RewriteRule ^x$ y", "anything", True),
        ("  rewriterule ^x$ y", "anything", True),
        ("# RewriteRule ^x$ y", "anything", False),
        ("ErrorDocument 404 /404.html", "x", False),
    ],
)
def test_a_rule_of_apache_answers(rule: str, path: str, *, expected: bool) -> None:
    assert answers(path, htaccess=rule) is expected


@pytest.mark.parametrize(
    ("rules", "path", "expected"),
    [
        (f"/{'*a' * 1_000}! /x", "a" * 2_000, True),
        (f"/x{'*a' * 1_000}! /x", "a" * 2_000, False),
        (f"/{':a' * 20}! /x", "a" * 2_000, True),
        (f"/{':a' * 1_000}! /x", "a" * 2_000, True),
        (f"/*{'a' * 2_000}b /x", "a" * 100_000, False),
        ("\n".join(f"/a{n}/* /b" for n in range(5_000)), "a4999/x", True),
        ("\n".join(f"/a{n}/* /b" for n in range(5_000)), "b/x", False),
        ("\n".join(f"/a{n} /b" for n in range(5_000)), "a4999", True),
    ],
)
def test_hostile_redirects_are_compared_in_time_proportional_to_their_length(
    rules: str, path: str, *, expected: bool
) -> None:
    assert answers(path, _redirects=rules) is expected


def test_hostile_rules_of_apache_are_read_in_time_proportional_to_their_length() -> None:
    assert not answers("x", htaccess="\n" * 100_000)
    rules = "\n".join(f"Redirect /a{n} /b" for n in range(5_000))
    found = read_server_rules({".htaccess": rules.encode()}.get, "/")
    assert [found("a4999/x"), found("b")] == [True, False]


VERCEL = '{"rewrites": [{"source": "/app/:path*"}], "redirects": [{"source": "/old"}], "routes": [{"src": "^/r/(.*)"}]}'
AZURE = '{"routes": [{"route": "/api/*"}]}'


@pytest.mark.parametrize(
    ("name", "text", "answered"),
    [
        ("netlify.toml", '[build]\ncommand = "make"', []),
        ("netlify.toml", '[[redirects]]\nfrom = "/a/*"\nto = "/b"\n[[redirects]]\nfrom = "/*"\nstatus = 404', ["a/x"]),
        ("netlify.toml", "[", ["a/x", "app/x", "old", "api/x", "r/x", "no"]),
        ("vercel.json", '{"cleanUrls": true}', []),
        ("vercel.json", VERCEL, ["app/x", "old", "r/x"]),
        ("staticwebapp.config.json", AZURE, ["api/x"]),
        (
            "staticwebapp.config.json",
            '{"navigationFallback": {"rewrite": "/index.html"}}',
            ["a/x", "app/x", "old", "api/x", "r/x", "no"],
        ),
    ],
)
def test_only_the_paths_of_a_host_s_rules_may_be_answered(name: str, text: str, answered: list[str]) -> None:
    rules = read_server_rules({name: text.encode()}.get, "/")
    assert [path for path in ("a/x", "app/x", "old", "api/x", "r/x", "no") if rules(path)] == answered


def test_the_paths_of_rules_begin_at_the_host() -> None:
    assert answers("old", "/docs/", _redirects="/docs/old /x")
    assert not answers("old", "/docs/", _redirects="/old /x")


def test_a_page_for_any_url_answers_everything() -> None:
    assert answers("x", spa="<html>")
    assert not answers("x")


def test_a_page_for_any_url_beside_a_page_for_missing_ones_answers_nothing_but_other_rules_do() -> None:
    assert not answers("x", spa="<html>", missing="<html>")
    assert answers("x", spa="<html>", missing="<html>", _redirects="/* /200.html 200")
