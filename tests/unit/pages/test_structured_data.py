import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from waypost.pages import structured_data

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.sampled_from(["@type", "url", "name"]), below),
    max_leaves=20,
)


def objects(*scripts: str) -> list[dict[str, Any]]:
    html = "".join(f'<script type="application/ld+json">{script}</script>' for script in scripts)
    return list(structured_data.objects(LexborHTMLParser(html)))


def test_every_object_is_found_the_outermost_first() -> None:
    found = objects('{"a": [{"b": {"c": 1}}], "d": {"e": 2}}', '[[{"f": 3}]]')
    assert [next(iter(each)) for each in found] == ["a", "e", "b", "c", "f"]


@pytest.mark.parametrize("script", ["", "{", '{"a": 1,}', "1" * 5_000, '"\\x"', '{"a":\x01}'])
def test_a_script_that_is_broken_says_nothing_and_the_next_is_read(script: str) -> None:
    assert objects(script, '{"a": 1}')[-1] == {"a": 1}


@pytest.mark.parametrize("opens", ["[", '{"a":', '[{"a":'])
def test_a_script_of_any_depth_ends_no_run(opens: str) -> None:
    closes = "".join("]" if char == "[" else "}" for char in reversed(opens) if char in "[{")
    depth = 200_000
    assert objects(opens * depth + "1" + closes * depth, '{"a": 1}')[-1] == {"a": 1}


def test_a_large_script_is_read_whole_and_a_larger_one_not() -> None:
    assert len(objects(json.dumps([{"n": n, "text": "x" * 100} for n in range(8_000)]))) == 8_000
    assert objects(json.dumps([{"n": n, "text": "x" * 100} for n in range(10_000)]), '{"a": 1}') == [{"a": 1}]


def test_so_many_scripts_and_values_are_read_and_no_more() -> None:
    assert len(objects(*["{}"] * 1_000)) == 200
    assert len(objects(json.dumps([{}] * 100_000))) == 50_000 - 1


def test_the_elements_of_a_page_are_searched_for_properties_up_to_a_limit() -> None:
    html = "<div itemscope itemtype=x>" + "<p>x" * 60_000 + "<p itemprop=a>x"
    assert list(structured_data.microdata(LexborHTMLParser(html))) == [{"@type": ["x"]}]


@pytest.mark.parametrize("name", ["application/ld+json", "Application/LD+JSON"])
def test_the_type_of_the_script_may_have_any_case(name: str) -> None:
    tree = LexborHTMLParser(f'<script type="{name}">{{"a": 1}}</script><script type="application/json">{{}}</script>')
    assert list(structured_data.objects(tree)) == [{"a": 1}]


@pytest.mark.parametrize(
    ("types", "is_one"),
    [("VideoObject", True), (["Thing", "VideoObject"], True), ([], False), (None, False), ([[], {}], False)],
)
def test_an_object_is_of_each_type_that_it_names(types: Any, is_one: bool) -> None:
    assert structured_data.is_of_type({"@type": types}, "VideoObject") is is_one
    assert not structured_data.is_of_type({}, "VideoObject")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", "a"),
        (["a", "b"], "a"),
        ([], ""),
        ({"url": "a"}, "a"),
        ({"contentUrl": "a", "name": "b"}, "a"),
        ({"url": "", "name": "b"}, "b"),
        ({"url": ["a"]}, ""),
        ([["a"]], ""),
        (1, ""),
        ("a\ud800b", "ab"),
        ("\N{GRINNING FACE}", "\N{GRINNING FACE}"),
    ],
)
def test_a_value_is_read_as_text(value: Any, text: str) -> None:
    assert structured_data.text(value) == text


@given(JSON)
def test_any_value_is_text_that_can_be_written(value: Any) -> None:
    assert structured_data.text(value).encode() is not None
    assert structured_data.is_of_type({"@type": value}, "Thing") in (True, False)


@given(JSON)
def test_all_objects_of_a_value_are_found(value: Any) -> None:
    def count(below: Any) -> int:
        values = below.values() if isinstance(below, dict) else below if isinstance(below, list) else ()
        return isinstance(below, dict) + sum(map(count, values))

    assert len(objects(json.dumps(value).replace("<", "\\u003c"))) == count(value)


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("https://schema.org/VideoObject", True),
        ("schema:VideoObject", True),
        (["Thing", "https://schema.org/VideoObject"], True),
        ("https://example.org/VideoObject", False),
        ("https://schema.org/VideoObjectSnapshot", False),
    ],
)
def test_a_type_may_be_a_url_of_schema_org(name: Any, is_one: bool) -> None:
    assert structured_data.is_of_type({"@type": name}, "VideoObject") is is_one


def test_microdata_is_read_as_json_ld_is() -> None:
    html = (
        '<div itemscope itemtype="https://schema.org/VideoObject"><b itemprop="name headline"> A <i>film</i></b>'
        '<meta itemprop=duration content=PT1M><link itemprop=embedUrl href="/p"><time itemprop=uploadDate '
        'datetime="2026-03-01">today</time><p itemprop=thumbnail itemscope itemtype="https://schema.org/ImageObject">'
        '<img itemprop=url src="t.jpg"></p></div><p itemprop=name>Other</p>'
    )
    video, image = structured_data.microdata(LexborHTMLParser(html))
    assert structured_data.is_of_type(video, "VideoObject")
    assert structured_data.text(video["thumbnail"]) == structured_data.text(image) == "t.jpg"
    assert {name: video[name] for name in ("name", "headline", "duration", "embedUrl", "uploadDate")} == {
        "name": "A film",
        "headline": "A film",
        "duration": "PT1M",
        "embedUrl": "/p",
        "uploadDate": "2026-03-01",
    }
    assert "url" not in video


def test_properties_in_one_another_are_read_up_to_a_limit() -> None:
    nested = "".join(f"<div itemprop=a{n}>" for n in range(1_000))
    html = f"<div itemscope itemtype=x>{nested}{'word ' * 200_000}"
    (found,) = structured_data.microdata(LexborHTMLParser(html))
    assert len(found) == 201
    assert 8_000_000 < sum(map(len, found.values())) < 10_000_000


def test_only_the_first_value_of_a_property_is_read() -> None:
    html = "<div itemscope itemtype=x>" + "<p itemprop='a b'>one<p itemprop='b c'>two" * 1_000
    (found,) = structured_data.microdata(LexborHTMLParser(html))
    assert found == {"@type": ["x"], "a": "one", "b": "one", "c": "two"}
