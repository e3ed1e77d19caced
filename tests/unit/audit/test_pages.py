from waypost.audit.pages import AuditedPage
from waypost.pages.html_head import HtmlHead


def test_a_page_without_a_reason_is_listed() -> None:
    assert AuditedPage("a.html", "https://example.org/a.html").is_listed
    assert not AuditedPage("a.html", "https://example.org/a.html", reason="canonical").is_listed


def test_a_page_may_be_kept_out_of_search_engines_by_a_tag_or_a_header() -> None:
    loc = "https://example.org/a.html"
    assert AuditedPage("a.html", loc, HtmlHead(noindex="noindex"), reason="canonical").is_noindex
    assert AuditedPage("a.html", loc, reason="noindex").is_noindex
    assert not AuditedPage("a.html", loc).is_noindex
