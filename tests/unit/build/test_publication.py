import pytest
from fake_buckets import StatefulBucket

OURS = ("sitemap.xml", "robots.txt", "sitemap.html", "llms.txt")


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
