from fake_buckets import BASE, StatefulBucket

from waypost.build.bucket_state import LeavingFile, PublishedFile, StateHead
from waypost.build.wanted_files import is_written, with_published, wrong_files

FILE = PublishedFile("sitemap.xml", "sitemap", "digest", etag="1")


def test_what_is_published_is_no_longer_pending_and_has_its_etag() -> None:
    head = StateHead(files=(FILE,), pending=frozenset({"sitemap.xml", "robots.txt"}), leaving=(LeavingFile("old.xml"),))
    after = with_published(head, {"sitemap.xml": "2"}, 5.0)
    assert (after.pending, after.files[0].etag) == (frozenset({"robots.txt"}), "2")
    assert after.leaving == (LeavingFile("old.xml"),)
    assert with_published(after, {"robots.txt": "3"}, 5.0).leaving == (LeavingFile("old.xml", 5.0),)


def test_only_an_event_with_the_remembered_etag_is_of_the_write_that_the_state_remembers() -> None:
    assert is_written(FILE, {"sitemap.xml": "1"})
    assert not is_written(FILE, {"sitemap.xml": "2"})
    assert not is_written(FILE, {})
    assert not is_written(None, {"sitemap.xml": "1"})


def test_wrong_files_are_those_that_are_missing_or_have_other_bytes_but_for_pending_ones() -> None:
    bucket = StatefulBucket(robots_sitemaps=True)
    bucket.put("a.html", "<p>a")
    bucket.rebuild()
    head, site = bucket.remembered().head, bucket.site()
    assert wrong_files(site, head, ["sitemap.xml", "robots.txt", "other.xml"]) == {}
    bucket.outputs.write("sitemap.xml", f"<urlset><url><loc>{BASE}</loc></url></urlset>".encode())
    assert wrong_files(site, head, ["sitemap.xml"]) == {"sitemap.xml": 10}
    bucket.outputs.files.clear()
    assert wrong_files(site, head, ["sitemap.xml"]) == {"sitemap.xml": 1}
