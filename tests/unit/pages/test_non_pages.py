import pytest

from waypost.core import reasons
from waypost.core.reasons import Reason
from waypost.pages.non_pages import has_document_tag, non_page
from waypost.settings.output_names import MARK

SCRIPT = "<script>window.location.replace('latest/' + location.search)</script>"
NOSCRIPT = '<noscript><meta http-equiv="refresh" content="0; url=latest/"></noscript>'


def reason(text: str | bytes, name: str = "a.html", *, is_whole: bool = True) -> Reason | None:
    found = non_page(name, text.encode() if isinstance(text, str) else text, is_whole=is_whole)
    return found[0] if found else None


@pytest.mark.parametrize("text", [b"", b" \n\t", b"\xef\xbb\xbf\r\n"])
def test_a_file_without_content_is_empty(text: bytes) -> None:
    assert reason(text) is reasons.EMPTY
    assert reason(text, is_whole=False) is None


@pytest.mark.parametrize(
    "text",
    [
        "{% extends 'base.html' %}<!doctype html>",
        "\n{{ content }}<html>",
        "{# a comment #}",
        "\ufeff{% x %}",
        "---\ntitle: A\n---\n<html>",
        "+++\ntitle = 'A'\n+++\n<html>",
        "<p>A paragraph</p>",
        "<svg><titles></titles></svg>",
    ],
)
def test_a_piece_of_a_page_or_a_template_is_a_fragment(text: str) -> None:
    assert reason(text) is reasons.FRAGMENT


@pytest.mark.parametrize(
    "text",
    [
        "<!doctype html><p>Text",
        "<html></html>",
        "<!-- {% a comment %} --><html>",
        "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'/>",
        '<html><head><script src="app.js"></script></head><body><div id="root"></div></body></html>',
        "---\nno end of front matter<html>",
        "<html><body>{{ angular }}</body></html>",
        b"\xff\xfe" + "<html>".encode("utf-16-le"),
    ],
)
def test_a_page_may_lack_a_title_or_text(text: str | bytes) -> None:
    assert reason(text) is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("google0123456789abcdef.html", "google-site-verification: google0123456789abcdef.html"),
        ("yandex_0123456789abcdef.html", "<html><head></head><body>Verification: 0123456789abcdef</body></html>"),
        ("baidu_verify_code-Ab12.html", "0123456789abcdef0123456789abcdef"),
        ("mailru-verification0123456789abcdef.html", "<html><!-- mailru-verification: 01 --></html>"),
    ],
)
def test_a_proof_of_ownership_is_known_by_its_name_and_its_content(name: str, text: str) -> None:
    assert reason(text, name) is reasons.VERIFICATION
    assert reason(text, "page.html") is not reasons.VERIFICATION
    assert reason("<html><title>Our page</title><body>A text of ours, and more of it</body>", name) is None


@pytest.mark.parametrize(
    ("text", "target"),
    [
        (
            f"<html><head>{NOSCRIPT}{SCRIPT}</head><body>Redirecting to <a href=latest/>latest</a></body></html>",
            "latest/",
        ),
        ("<html><script>location.href = '/new'</script></html>", "/new"),
        ('<html><script>location="/new"</script><body><noscript>JavaScript is off</noscript>', "/new"),
    ],
)
def test_a_page_that_only_redirects_by_a_script_is_left_out(text: str, target: str) -> None:
    assert non_page("a.html", text.encode(), is_whole=True) == (reasons.REFRESH, target)


@pytest.mark.parametrize(
    "text",
    [
        f"<html>{SCRIPT}<body>A page with a text that goes on after a click</body></html>",
        f"<html>{NOSCRIPT}<body>A page for browsers with scripts</body></html>",
        "<html><script>if (location.hash) show()</script><body></body></html>",
        f"<html><body>{'x' * 20_000}</body>{NOSCRIPT}{SCRIPT}</html>",
        "<html><script>onhashchange = () => { document.location.href = '#/'; }</script><body></body></html>",
        "<html><script>location.href='https:'+location.href.substring(5)</script><body></body></html>",
        "<html><script>location.href = '/app'</script><body><div id=app></div><script src=app.js></script></body>",
        "<html><body>Text<noscript><meta http-equiv=refresh content='0; url=/nojs.html'></noscript>"
        "<script>function go() { location.href = '/search'; }</script></body></html>",
    ],
)
def test_a_script_that_may_redirect_keeps_a_page_with_content(text: str) -> None:
    assert reason(text) is None


@pytest.mark.parametrize(("body", "expected"), [("", reasons.APP_SHELL), ("<h1>Room 200</h1>", None)])
def test_the_page_for_any_url_is_a_shell_if_it_has_no_text(body: str, expected: Reason | None) -> None:
    text = f"<!doctype html><title>App</title><body>{body}<div id=app></div><script src=app.js></script>"
    assert reason(text, "200.html") is expected
    assert reason(text, "a.html") is None


def test_the_tags_of_a_page_are_found_in_any_case() -> None:
    assert has_document_tag(b"x <BODY class=a>")
    assert not has_document_tag(b"<article>")


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("all_0.html", '<!DOCTYPE html><html><title></title><body class="SRPage"><div>', reasons.FRAGMENT),
        ("overview-frame.html", "<!DOCTYPE HTML><!-- Generated by javadoc --><title>x</title>", reasons.FRAGMENT),
        ("overview-summary.html", "<!DOCTYPE HTML><!-- Generated by javadoc --><title>x</title>", None),
        ("overview-frame.html", "<!DOCTYPE HTML><title>Of picture frames</title>", None),
    ],
)
def test_a_frame_of_a_generated_reference_is_a_piece_of_a_page(name: str, text: str, expected: Reason | None) -> None:
    assert reason(text, name) is expected


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("<head></head><body></body>", reasons.EMPTY),
        ("<head><meta charset=utf-8></head><body> \n</body>", reasons.EMPTY),
        ("<head><title>A</title></head><body></body>", None),
        ("<head></head><body><script>app()</script></body>", None),
        ("<head></head><body>A</body>", None),
    ],
)
def test_a_document_on_which_nothing_is_counts_as_empty(inside: str, expected: Reason | None) -> None:
    assert reason(f"<!doctype html><html>{inside}</html>") is expected


@pytest.mark.parametrize("move", ["location.replace(to)", "window.location.assign(url)", "location.href = to + hash"])
def test_a_page_on_which_nothing_is_and_whose_script_leads_elsewhere_is_a_redirect(move: str) -> None:
    page = f"<html><head><title>Redirect</title><script>var to = '/x'; {move}</script></head><body></body></html>"
    assert non_page("a.html", page.encode(), is_whole=True) == (reasons.REFRESH, "a script")
    assert reason(page.replace("<body>", "<body>Text")) is None


def test_a_refresh_to_nothing_on_an_empty_page_leaves_nothing() -> None:
    page = '<!doctype html><html><head><title></title><meta http-equiv="refresh" content="0; url="></head></html>'
    assert reason(page) is reasons.EMPTY
    assert reason(page.replace("</title>", "A</title>")) is None


def test_an_html_sitemap_of_our_own_is_no_page_whatever_the_settings_are() -> None:
    own = f"<!doctype html>\n{MARK}\n<html><title>Pages</title><a href=/>Home</a>"
    assert reason(own) is reasons.OUTPUT
    assert reason(own.replace(MARK, "")) is None
    assert reason(f"<!doctype html><title>How to</title>{'x' * 300}{MARK}") is None
