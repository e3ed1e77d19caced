from hypothesis import given, settings
from hypothesis import strategies as st
from unit.sample_sites import site

from waypost.audit import AuditResult
from waypost.audit.auditor import audit_graph
from waypost.audit.pages import AuditedPage
from waypost.audit.site_files import SiteFiles
from waypost.audit.site_graph import SiteGraph
from waypost.pages.html_head import HtmlHead

BASE = "https://example.org/"
NAMES = ("index.html", "a.html", "b.html", "d/index.html", "d/c.html")
TARGETS = (*NAMES, "none.html", "/x/y.html", "A.html", "https://other.example/", "a", "d/", "../x")
CONTENT = st.tuples(
    st.lists(st.sampled_from(TARGETS)), st.sampled_from(["", "Same", "Other"]), st.sampled_from(TARGETS)
)
SITES = st.dictionaries(st.sampled_from(NAMES), CONTENT, min_size=1)


def audited(contents: list[tuple[str, tuple[list[str], str, str]]]) -> AuditResult:
    """Audit pages of links, a title, and a canonical link, in this order."""
    pages = {
        name: AuditedPage(name, BASE + name, HtmlHead(canonicals=(canonical,)) if title else HtmlHead())
        for name, (_, title, canonical) in contents
    }
    graph = SiteGraph(list(pages.values()), SiteFiles(pages, (), site(), lambda path: False), site())
    for name, (hrefs, title, _) in contents:
        body = "".join(f'<a href="{href}">' for href in hrefs)
        graph.add(pages[name], f"<title>{title}</title>{body}".encode())
    return audit_graph(graph, (), {})


@settings(max_examples=30)
@given(SITES, st.randoms())
def test_the_order_of_the_pages_does_not_matter(
    contents: dict[str, tuple[list[str], str, str]], random: object
) -> None:
    ordered, shuffled = list(contents.items()), list(contents.items())
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert audited(shuffled) == audited(ordered)


@settings(max_examples=30)
@given(SITES)
def test_all_that_is_found_is_about_pages_of_the_site(contents: dict[str, tuple[list[str], str, str]]) -> None:
    result = audited(list(contents.items()))
    assert {each.page for each in result.placed()} <= contents.keys()
    assert sum(result.counts.depths.values()) + result.counts.unreachable in (0, len(contents))


def test_a_page_that_could_not_be_read_is_a_finding() -> None:
    graph = SiteGraph([AuditedPage("a.html", BASE + "a.html")], SiteFiles(["a.html"], (), site(), bool), site())
    result = audit_graph(graph, ["a.html"], {})
    assert ([finding.code for finding in result.findings], result.counts.pages) == (["unreadable"], 0)
