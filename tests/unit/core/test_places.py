"""What a text names: a path, a URL of the web, or a place in a bucket."""

import pytest

from waypost.core.places import Place, place_of, places_in

OTHERS = """x://../../secret file:///etc/passwd ftp://a.dev/x gs://bucket/x ://x //a.dev/x http:/a.dev http:a.dev
./http://a.dev http\u017f://a.dev http+x://a.dev s3:/b/k - a/b ../a C:\\a \0 HEAD:a.xml xhttp://a.dev s3a://b/k"""


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("http://a.dev/x", Place("web", "http://a.dev/x")),
        ("HTTPS://A.dev/X", Place("web", "https://A.dev/X")),
        ("hTTp://", Place("web", "http://")),
        ("S3://Bucket/Key", Place("bucket", "s3://Bucket/Key")),
    ],
)
def test_a_url_begins_with_http_https_or_s3_in_any_case(text: str, place: Place) -> None:
    assert place_of(text) == place


def test_everything_else_is_a_path() -> None:
    texts = ["", " http://a.dev", *OTHERS.split()]
    assert [place_of(text) for text in texts] == [Place("path", text) for text in texts]


def test_the_places_in_settings_are_found_in_lists_and_tables() -> None:
    found = places_in({"a": ["S3://b/k", {"from": "x"}], "n": 3, "d": None})
    assert [*found] == [Place("bucket", "s3://b/k"), Place("path", "x")]
