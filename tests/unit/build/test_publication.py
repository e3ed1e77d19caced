import pytest
from fake_buckets import BASE, StatefulBucket

from waypost.build.bucket_state import LeavingFile, PublishedFile, StateHead
from waypost.build.publication import is_written, with_published, wrong_files

FILE = PublishedFile("sitemap.xml", "sitemap", "digest", etag="1")


def made(**settings: object) -> StatefulBucket:
    bucket = StatefulBucket(**settings)
    for n in range(3):
        bucket.put(f"{n}.html", "<title>x</title><p>x")
    return bucket


def warnings(bucket: StatefulBucket) -> list[str]:
    return [
        warning.code for warning in bucket.rebuild().warnings if warning.code in ("foreign-replaced", "output-blocked")
    ]


def test_another_tools_sitemap_is_replaced_with_a_warning() -> None:
    bucket = made()
    bucket.outputs.write("sitemap.xml", b"<urlset/>")
    assert warnings(bucket) == ["foreign-replaced"]
    assert b"/1.html" in bucket.outputs.bodies()["sitemap.xml"]


@pytest.mark.parametrize(("name", "formats"), [("sitemap.html", ["xml", "html"]), ("llms.txt", ["xml", "llms"])])
def test_somebody_elses_page_is_left_with_a_warning(name: str, formats: list[str]) -> None:
    bucket = made(formats=formats)
    bucket.outputs.write(name, b"<p>somebody else's")
    assert warnings(bucket) == ["output-blocked"]
    assert bucket.outputs.bodies()[name] == b"<p>somebody else's"


def test_the_owners_rules_in_robots_txt_are_kept_and_its_lines_follow_the_sitemaps() -> None:
    bucket = made(robots_sitemaps=True, urls=50)
    bucket.outputs.write("robots.txt", b"User-agent: *\nDisallow: /x/\n")
    bucket.rebuild()
    assert bucket.outputs.bodies()["robots.txt"] == (
        b"User-agent: *\nDisallow: /x/\nSitemap: https://example.org/sitemap.xml\n"
    )
    before = bucket.outputs.bodies()["robots.txt"]
    bucket.outputs.write("robots.txt", b"User-agent: *\nDisallow: /y/\n")
    bucket.update("robots.txt")
    assert bucket.outputs.bodies()["robots.txt"] == before.replace(b"/x/", b"/y/")


def test_published_files_say_of_which_state_they_were_made() -> None:
    bucket = made()
    bucket.rebuild()
    head = bucket.remembered().head
    metadata = bucket.outputs.files["sitemap.xml"][1]
    assert metadata == {
        "waypost-state": head.site_id,
        "waypost-number": "2-000000000004",
        "waypost-digest": head.by_name["sitemap.xml"].digest,
    }


def test_where_an_older_state_was_restored_an_event_asks_for_a_rebuild_and_that_says_so() -> None:
    bucket = made()
    bucket.rebuild()
    old = bucket.state.files["state"]
    bucket.change("1.html", "<title>x</title><p>new")
    bucket.change("3.html", "<p>x")
    right = bucket.outputs.bodies()
    bucket.state.files["state"] = old
    bucket.put("2.html", "<title>x</title><p>new, too")
    with pytest.raises(Exception, match="an older"):
        bucket.update("2.html")
    bucket.rebuild()
    assert "is an older one" in bucket.remembered().head.damage
    assert b"/3.html" in bucket.outputs.bodies()["sitemap.xml"]
    assert right != bucket.outputs.bodies()
    assert bucket.remembered().head.pending == frozenset()


def test_a_file_that_a_tool_edited_and_that_keeps_its_metadata_is_written_again() -> None:
    bucket = made()
    bucket.rebuild()
    body, metadata = bucket.outputs.files["sitemap.xml"]
    for is_event in (True, False):
        bucket.outputs.files["sitemap.xml"] = body.replace(b"/1.html", b"/9.html"), metadata
        if is_event:
            bucket.update("sitemap.xml")
        else:
            bucket.rebuild()
        assert bucket.outputs.bodies()["sitemap.xml"] == body


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
    bucket.outputs.write("robots.txt", b"User-agent: *")
    assert wrong_files(site, head, ["robots.txt"]) == {"robots.txt": 10}
    bucket.outputs.files.clear()
    assert wrong_files(site, head, ["sitemap.xml", "robots.txt"]) == {"sitemap.xml": 1, "robots.txt": 1}
