"""What another tool's sitemap has for a URL, as XML again."""

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from waypost.build.url_sources import extension_xml
from waypost.core.sitemap_rows import EXTENSION_NAMESPACES
from waypost.validate import SITEMAP_NAMESPACE, Element
from waypost.validate.sitemap_content import read_whole_entries

URL = "https://example.org/a"
DECLARED = "".join(f' xmlns:{prefix}="{namespace}"' for prefix, namespace in EXTENSION_NAMESPACES)


def urlset(inside: str, declared: str = DECLARED) -> bytes:
    return f'<urlset xmlns="{SITEMAP_NAMESPACE}"{declared}><url><loc>{URL}</loc>{inside}</url></urlset>'.encode()


def written(inside: str, declared: str = "") -> str:
    kind, (entry,), lost = read_whole_entries("a.xml", urlset(inside, DECLARED + declared))
    assert (kind, lost) == ("urlset", {})
    return extension_xml(entry.extensions or ())


def test_the_usual_extensions_are_as_they_were_in_their_order() -> None:
    inside = (
        '<image:image><image:loc>https://a.dev/?a&amp;b</image:loc></image:image><xhtml:link rel="alternate" '
        'hreflang="de" href="https://a.dev/&quot;"/><video:video><video:tag>x</video:tag></video:video>'
        "<news:news><news:title>T &lt; U</news:title></news:news><mobile:mobile/>"
    )
    assert written(inside) == inside


def test_an_unknown_namespace_is_declared_where_it_is_used() -> None:
    found = written('<x:a y:b="1" c="&#10;"><d xmlns="">e</d><f/></x:a><x:a/>', ' xmlns:x="urn:x" xmlns:y="urn:y&amp;"')
    assert found == (
        '<ns1:a xmlns:ns1="urn:x" xmlns:ns2="urn:y&amp;" ns2:b="1" c="&#10;"><d xmlns="">e</d><f '
        f'xmlns="{SITEMAP_NAMESPACE}"/></ns1:a><ns1:a xmlns:ns1="urn:x"/>'
    )


def test_what_cannot_be_kept_is_counted_by_its_kind() -> None:
    image = f"<image:image>a<image:loc>{'b' * 70_000}</image:loc></image:image>"
    inside = f"<foo>1</foo><foo/><priority><b/>0.5</priority>{image}"
    _, _, lost = read_whole_entries("a.xml", urlset(inside))
    assert lost == {"element foo": 2, "element b": 1, "text beside elements": 1, "end of a long text": 1}


NAMES = st.text("abc", min_size=1, max_size=3)
NAMESPACES = st.sampled_from(["urn:x", "urn:x?a&b'", *(namespace for _, namespace in EXTENSION_NAMESPACES)])
TEXTS = st.text("ab&<>'\"]é\u2028\U0001f600 \n\t", max_size=9).map(str.strip)
ELEMENTS = st.recursive(
    st.builds(Element, NAMESPACES, NAMES, st.just(0), st.dictionaries(NAMES, TEXTS, max_size=2), TEXTS),
    lambda inner: st.builds(
        Element,
        NAMESPACES,
        NAMES,
        st.just(0),
        st.dictionaries(NAMES, TEXTS, max_size=2),
        st.just(""),
        st.lists(inner, max_size=3),
    ),
    max_leaves=4,
)


@given(st.lists(ELEMENTS, min_size=1, max_size=3))
def test_what_is_written_is_read_again(elements: list[Element]) -> None:
    body = urlset(extension_xml(elements))
    assert etree.fromstring(body)[0][0].text == URL
    assert b"\n" not in body
    _, (entry,), lost = read_whole_entries("a.xml", body)
    assert [each.content for each in entry.extensions or ()] == [each.content for each in elements]
    assert lost == {}
