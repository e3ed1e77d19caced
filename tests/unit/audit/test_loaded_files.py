"""What pages load."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from audits import IMAGE, cases, page

if TYPE_CHECKING:
    from audits import Audit

HOME = ("index.html",)
LOADS = {
    "<script src=http://a.dev/x.js></script>": "mixed-content",
    "<iframe src=http://a.dev/x></iframe>": "mixed-content",
    "<link rel=stylesheet href=http://a.dev/x.css>": "mixed-content",
    "<img src=http://a.dev/x.png>": "mixed-image",
    "<video src=http://a.dev/x.mp4></video>": "mixed-image",
    "<link rel=icon href=http://a.dev/x.ico>": "mixed-image",
    "<script src=http://localhost:3000/x.js></script>": None,
    "<img src=http://127.0.0.1/x.png>": None,
    "<a href=http://a.dev/x>x</a>": None,
    "<script src=https://a.dev/x.js></script>": None,
    "<meta property=og:image content=http://a.dev/x.png>": None,
    '<link rel=canonical href="http://a.dev/x">': None,
}


@pytest.mark.parametrize(("element", "code"), LOADS.items())
def test_what_a_secure_page_loads_by_http_is_an_error_or_for_images_a_warning(
    audit: Audit, element: str, code: str | None
) -> None:
    found = cases(audit({"index.html": page(element)}))
    assert [name for name in found if name.startswith("mixed-")] == ([code] if code else [])
    assert not [
        name for name in cases(audit({"index.html": page(element)}, base_url="http://example.org/")) if "mixed" in name
    ]


@pytest.mark.parametrize(
    ("element", "is_told"),
    [
        ('<img src="">', True),
        ("<img src>", True),
        ("<script src=''></script>", True),
        ('<iframe src=""></iframe>', True),
        ('<input type=image src="">', True),
        ('<object data=""></object>', True),
        ('<link rel=stylesheet href="">', True),
        ('<img src="" srcset="">', True),
        ('<input type=text src="">', False),
        ('<link rel=canonical href="">', False),
        ('<img src="" data-src="/x.png">', False),
        ('<img src="" srcset="/x.png 2x">', False),
        ("<img>", False),
        ('<a href="">x</a>', False),
        ("<script>x</script>", False),
    ],
)
def test_an_empty_url_to_load_is_warned_of_unless_a_script_fills_it(
    audit: Audit, element: str, *, is_told: bool
) -> None:
    found = cases(audit({"index.html": page(element), "x.png": IMAGE}))
    assert found == ({"empty-source": [("", HOME)]} if is_told else {})


@pytest.mark.parametrize(
    ("robots", "is_told"),
    [
        ("User-agent: *\nDisallow: /assets/", True),
        ("User-agent: Googlebot\nDisallow: /assets/", True),
        ("User-agent: *\nDisallow: /assets/\nUser-agent: Googlebot\nAllow: /", False),
        ("User-agent: Bingbot\nDisallow: /assets/", False),
        ("User-agent: *\nDisallow: /assets/a.css\nAllow: /assets/a.css", False),
    ],
)
def test_a_script_or_a_style_that_google_may_not_fetch_is_warned_of(
    audit: Audit, robots: str, *, is_told: bool
) -> None:
    head = "<link rel=stylesheet href=assets/a.css>"
    files = {"index.html": page("x", head=head), "assets/a.css": "p { x: y }", "robots.txt": robots}
    assert cases(audit(files)) == ({"blocked-file": [("assets/a.css", HOME)]} if is_told else {})
    assert cases(audit(files, base_url="https://example.org/project/")) == {}
