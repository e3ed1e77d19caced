"""The bounds of what is parsed; benchmarks/hostile has the same shapes at sizes that double."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode

from waypost.pages import html_bounds
from waypost.pages.html_bounds import MOST_BYTES, MOST_DEPTH, MOST_REOPENED, MOST_TAGS, bounded_length

N = 50_000
HONEST: dict[str, bytes] = {
    "nothing": b"",
    "text": b"a < b && c > d" * 1_000,
    "paragraphs without end tags": b"<p>text" * 20_000,
    "lists and tables without end tags": b"<ul>" + b"<li>x" * 5_000 + b"</ul><table>" + b"<tr><td>x<td>y" * 5_000,
    "anchors without end tags": b"<h2>x</h2><a name=x><p>text</p>" * 6_000,
    "links with elements": b"<div><a href=x><b>x</b></a><br><img src=x></div>" * 3_000,
    "code": b"<pre><code>" + b"<span class=k>x</span>" * 45_000 + b"</code></pre>",
    "shapes": b"<svg>" + b"<g><path d='M0 0'/></g>" * 5_000 + b"</svg><p>x",
    "a script": b"<script>" + b"if (a<b) x='<div>';" * 20_000 + b"</script>",
    "a comment": b"<!--" + b"<div>" * N + b"-->",
    "an element without end": b"<p>x<script>" + b"<div>" * N,
    "a tag without end": b"<p>x<a " + b"<div " * N,
    "elements of its own without end tags": b"<div><a href=x><p>x <lang js /></p></a></div>" * 4_000,
    "choices": (b"<select>" + b"<option>x" * 1_000 + b"</select>") * 10,
    "ruby texts": b"<p>" + b"<ruby>x<rt>y</ruby><ruby>x<rp>(<rt>y<rp>)</ruby>" * 3_000,
}  # fmt: skip
NAMES = (
    "div section p b font a span li ul td tr table svg g path math select option optgroup title style button h1 em dd "
    "dl form dialog keygen html input template ruby rt rp rb rtc caption colgroup tbody thead"
)
FRAGMENTS = [
    *(f"<{name}>" for name in NAMES.split()),
    *(f"</{name}>" for name in NAMES.split()),
    *("x", "<font c=#>", "<b id=#>", "<path/>", "<g x=a/>", "<!--", "-->", "<br>", "<![CDATA[", "]]>", "<a '>", "'"),
    *("<script>", "</script>", "<!--<script>", "</p>", "<foreignObject>", "</foreignObject>", "<x>", "</x>"),
]


def numbered(text: str, count: int = N) -> bytes:
    return "".join(text.replace("#", str(n)) for n in range(count)).encode()


HOSTILE: dict[str, bytes] = {
    "many attributes": b"<meta " + numbered("a# ") + b">",
    "many attributes, some with an end of a tag in quotes": b"<meta " + numbered("a#='>' ") + b">",
    "many attributes of body tags": numbered("<body a#>"),
    "many names of tags": numbered("<x#></x#>"),
    "many names of attributes": numbered("<p a#>"),
    "many tags": b"<p>" * (MOST_TAGS + 1),
    "many bytes": b"x" * (MOST_BYTES + 1),
    "deep": b"<div>" * N,
    "deep, with wrong end tags": b"<div></x>" * N,
    "deep lists": b"<ul><li>" * N,
    "deep, with end tags in comments": b"<div><!--</div>-->" * N,
    "deep, with end tags in attributes": b"<div><a t='</div>'></a>" * N,
    "deep, with end tags in scripts": b"<div><script></div></script>" * N,
    "deep, with end tags in a script that seems to end": (
        b"<p>" * 4_000 + b"<div>" * 500 + b"<script><!--<script></script>" + b"</div>" * 500 + b"--></script>"
        + b"<div>" * 100
    ),
    "deep in SVG, where no end tag is implied": b"<svg>" + b"<td>" * N,
    "deep, where a slash ends an unquoted value": b"<svg>" + b"<g x=a/>" * N,
    "deep, where SVG has ended and a slash closes nothing": b"<svg><p>" + b"<path/>" * N,
    "deep in what is text only outside of SVG": b"<svg><style>" + b"<g>" * N + b"</style>",
    "deep in what is text only outside of a list of choices": b"<select><title></select>" + b"<div>" * N + b"</title>",
    "deep, with end tags in CDATA of SVG": b"<svg>" + b"<g><![CDATA[> </g> ]]>" * N,
    "formatting elements in each block": b"<p><b><i><u><s><tt><em>" + b"<p>x" * N,
    "ever more formatting elements": numbered("<p><font color=c#>x</p>"),
    "ever more formatting elements in rows": b"<table>" + numbered("<tr><font c=#>x"),
    "formatting elements behind a marker": numbered("<p><font c#><table><td></font></table>") + b"<p>x",
    "formatting elements in closed spans": numbered("<span><b c=#></span>"),
    "formatting elements around blocks": numbered("<font c=#><div>") + b"</font>" * N,
    "deep in SVG, where no element is empty": b"<svg>" + b"<keygen>" * N,
    "deep in SVG, where html is an element": b"<svg>" + b"<html>" * N,
    "deep, where forms end": b"<form><x-y></form>" * N,
    "ruby texts outside of ruby": b"<rt>" * N,
    "ruby texts where ruby has ended": b"<section><ruby><div></section></div>" + b"<rt>" * N,
    "groups of choices outside of a list": b"<optgroup>" * N,
    "groups of choices where the list has ended": b"<select><input>" + b"<optgroup>" * N,
    "choices in one list": b"<select>" + b"<option>x" * N,
    "choices among other elements": b"<select>" + b"<p></p>" * 10_000 + b"<option>x</option>" * 8_000,
    "depth times tags": b"<div>" * 500 + b"<dd></dd>" * N,
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_page_is_cut_before_it_exceeds_a_bound(name: str) -> None:
    page = HOSTILE[name]
    length = bounded_length(page)
    assert length < len(page)
    assert length <= MOST_BYTES
    nodes, depth = shape_of(page[:length])
    assert nodes <= 2 * MOST_TAGS + MOST_REOPENED
    assert depth <= 3 * MOST_DEPTH


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_page_is_parsed_as_a_whole(name: str) -> None:
    assert bounded_length(HONEST[name]) == len(HONEST[name])


def shape_of(page: bytes) -> tuple[int, int]:
    """The number of the nodes that a parser makes of a page, and their greatest depth."""
    root = LexborHTMLParser(page).root
    nodes, depth, level = 0, 0, [root] if root is not None else []
    while level:
        nodes, depth = nodes + len(level), depth + 1
        level = [child for node in level for child in children(node)]
    return nodes, depth


def children(node: LexborNode) -> list[LexborNode]:
    return list(node.iter(include_text=False))


@given(st.lists(st.tuples(st.sampled_from(FRAGMENTS), st.integers(1, 30)), max_size=12), st.integers(1, 20))
def test_no_mixture_of_tags_gives_the_parser_more_depth_or_nodes_than_were_counted(
    parts: list[tuple[str, int]], times: int
) -> None:
    text = "".join(fragment * count for fragment, count in parts) * times
    page = text.replace("#", "{}").format(*range(text.count("#"))).encode() if "{" not in text else text.encode()
    counter = counted(page)
    nodes, depth = shape_of(page[: counter.length])
    assert depth <= 4 * counter.depth + 6  # a table's cell makes up to three elements around it
    assert nodes <= 4 * (counter.tags + counter.reopened) + 6


class counted:  # noqa: N801 - it is called like a function
    """What the module counts of a page, without its short cut for small ones."""

    def __init__(self, page: bytes) -> None:
        self.depth, self.tags, open_elements = 0, page.count(b"<"), WatchedList()
        counter = html_bounds._Counter(page)
        counter.open = open_elements
        self.length = counter.bounded_length()
        self.depth, self.reopened = open_elements.longest, counter.reopened


class WatchedList(list[html_bounds._Kind]):
    """A list that remembers how long it was at most."""

    longest = 0

    def append(self, kind: html_bounds._Kind) -> None:
        super().append(kind)
        self.longest = max(self.longest, len(self))
