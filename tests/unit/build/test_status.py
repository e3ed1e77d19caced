"""The status of a bucket: what its state is good for, and what an operator must be told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from fake_buckets import StatefulBucket
from fake_stores import Crash, Writer
from subscribers import Recorder

from waypost.build import status
from waypost.build.divided_bucket import DividedBucket
from waypost.build.status import LastError, StatusAnswer, render_sample
from waypost.core.errors import RenderError, TryLaterError
from waypost.sitemaps.render import Renderer

if TYPE_CHECKING:
    from collections.abc import Callable

HIDDEN = "<title>x</title><meta name=robots content=noindex>"


def built(*keys: str, **settings: Any) -> StatefulBucket:
    bucket = StatefulBucket(**settings)
    for key in keys or ("a.html", "b.html"):
        bucket.put(key, f"<title>{key}</title><p>text")
    bucket.rebuild()
    return bucket


def pages(count: int) -> list[str]:
    return [f"{n:03}.html" for n in range(count)]


def hide(bucket: StatefulBucket, count: int) -> None:
    """Replace the first pages by some that are left out."""
    for key in pages(count):
        bucket.put(key, HIDDEN)
    bucket.update(*pages(count))


def found(bucket: StatefulBucket) -> StatusAnswer:
    return status.status(DividedBucket(bucket.site()))


def problems(bucket: StatefulBucket) -> list[str]:
    return [each.problem for each in found(bucket).problems]


def test_a_status_counts_pages_sitemaps_and_what_is_left_out() -> None:
    bucket = built(*pages(9), urls=4)
    bucket.change("hidden.html", HIDDEN)
    bucket.clock.sleep(60)
    answer = found(bucket)
    assert (answer.base_url, answer.url_count) == ("https://example.org/", 9)
    assert answer.excluded_by_reason == {"noindex": 1}
    assert answer.sitemap_count == sum(name.startswith("sitemap-") for name in bucket.files()) > 1
    assert answer.root_sitemaps == ["https://example.org/sitemap.xml"]
    assert (answer.age_seconds or 0) >= 60


def leave_unchanged(bucket: StatefulBucket) -> None:
    assert found(bucket).problems == []


def change_settings(bucket: StatefulBucket) -> None:
    bucket.settings = StatefulBucket(images=True).settings


def start_build(bucket: StatefulBucket) -> None:
    change_settings(bucket)
    rebuild = Writer(bucket.gate, bucket.rebuild)
    rebuild.until("LIST site/")
    rebuild.step(Crash())


def stop_build(bucket: StatefulBucket) -> None:
    start_build(bucket)
    bucket.clock.sleep(1_200)


def fail_publishing(bucket: StatefulBucket) -> None:
    bucket.put("new.html", "<p>x")
    killed = Writer(bucket.gate, lambda: bucket.update("new.html"))
    killed.until("PUT outputs/")
    killed.step(Crash())


def delete_all(bucket: StatefulBucket) -> None:
    for key in list(bucket.source.objects):
        bucket.change(key, None)


def change_robots(bucket: StatefulBucket) -> None:
    bucket.put("robots.txt", "User-agent: *\nDisallow: /a")


@pytest.mark.parametrize(
    ("prepare", "text"),
    [
        (leave_unchanged, "up to date with the last run"),
        (change_settings, "was made with other settings or by another release; start a rebuild"),
        (start_build, "a build is under way; the published files are left unchanged"),
        (stop_build, "a build was not finished; the next rebuild goes on with it"),
        (fail_publishing, "some sitemaps are not published yet; the next event or rebuild publishes them"),
        (delete_all, "there is no page to list; the published files are left unchanged"),
        (change_robots, "robots.txt has other rules than the sitemaps follow"),
    ],
)
def test_the_text_says_what_the_state_is_good_for(prepare: Callable[[StatefulBucket], None], text: str) -> None:
    bucket = built()
    prepare(bucket)
    assert text in found(bucket).state
    if prepare in (start_build, stop_build):
        assert found(bucket).url_count == 2  # what is published


def test_without_a_state_the_status_says_what_makes_one() -> None:
    bucket = StatefulBucket()
    bucket.put("a.html", "<p>x")
    assert "there is no state yet" in found(bucket).state
    assert found(bucket).problems == []
    assert bucket.rebuild().warnings == ()


def test_a_state_that_is_lost_is_a_problem_before_and_for_a_week_after_it_was_made_again() -> None:
    bucket = built()
    del bucket.state.files["state"]
    assert found(bucket).state == "the state is missing, though its files are published"
    assert [each.kind for each in found(bucket).problems] == ["state"]
    bucket.rebuild()
    assert "is missing, though its files are published" in problems(bucket)[0]
    bucket.clock.sleep(604_800)
    assert problems(bucket) == []


@pytest.mark.parametrize("at", [40, -1], ids=["its head", "its body"])
def test_a_state_that_is_damaged_is_a_problem_though_no_run_has_met_it(at: int) -> None:
    bucket = built()
    stored = bucket.state.files["state"]
    content = bytearray(stored[0])
    content[at] ^= 1
    bucket.state.files["state"] = (bytes(content), *stored[1:])
    assert found(bucket).state == "the state cannot be read"
    (problem,) = found(bucket).problems
    assert ("is damaged" in problem.problem, "a rebuild" in problem.problem) == (True, True)


def test_objects_that_cannot_be_read_are_named_until_they_can() -> None:
    bucket = built("denied.html", "b.html")
    bucket.source.broken = {"denied.html": PermissionError(13, "AccessDenied")}
    bucket.change("denied.html", "<p>changed")
    (problem,) = found(bucket).problems
    assert problem.problem == "1 object cannot be read: denied.html: AccessDenied"
    assert problem.what_to_do == "allow this access in the policies of the role, of the bucket and of its KMS key"
    bucket.rebuild()
    assert len(problems(bucket)) == 1
    bucket.source.broken = {}
    bucket.rebuild()
    assert problems(bucket) == []


@pytest.mark.parametrize(("removed", "is_told"), [(12, False), (13, True), (30, True)])
def test_pages_that_events_have_removed_are_told_for_a_day_whatever_comes_after(removed: int, *, is_told: bool) -> None:
    bucket = built(*pages(40))
    hide(bucket, removed)
    text = f"uploads and deletions within a day removed {removed} of 40 listed pages"
    assert problems(bucket) == ([text] if is_told else [])
    bucket.clock.sleep(3_700)
    bucket.change("new.html", "<p>new")
    bucket.rebuild()
    assert bool(problems(bucket)) == (removed > 13)
    bucket.clock.sleep(86_400)
    assert problems(bucket) == []


def test_the_limit_may_be_that_of_an_alarm() -> None:
    bucket = built(*pages(40))
    hide(bucket, 5)
    assert status.status(DividedBucket(bucket.site())).problems == []
    assert len(status.status(DividedBucket(bucket.site()), 10).problems) == 1


def test_a_removal_that_a_rebuild_has_accepted_is_no_problem() -> None:
    bucket = built(*pages(40), max_removed=100)
    for key in pages(30):
        bucket.delete(key)
    bucket.rebuild()
    assert problems(bucket) == []


def test_subscribers_that_could_not_be_told_for_an_hour_are_a_problem() -> None:
    bucket, recorder = built(), Recorder()
    bucket.subscribers.append(recorder)
    recorder.failures += [TryLaterError("no answer", 60)] * 2
    bucket.change("new.html", "<p>new")
    assert problems(bucket) == []
    bucket.clock.sleep(3_700)
    assert problems(bucket) == [f"{recorder.name} could not be told of changes for more than an hour"]


def test_a_site_that_cannot_be_read_is_a_problem_and_the_counts_are_known() -> None:
    bucket = built()
    bucket.source.broken = {"robots.txt": PermissionError(13, "AccessDenied")}
    assert found(bucket).url_count == 2
    assert "robots.txt cannot be read: AccessDenied" in problems(bucket)[0]


def test_the_templates_of_waypost_render() -> None:
    render_sample(StatefulBucket(formats=["xml", "text", "html"], stylesheet=True).site())


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap-index.xml", "sitemap.txt", "sitemap.html", "sitemap.css"])
def test_a_template_that_fails_is_found(name: str) -> None:
    bucket = StatefulBucket(formats=["xml", "text", "html"], stylesheet=True)
    bucket.renderer = Renderer({f"{name}.j2": ("{{ 1 / 0 }}", f"mine/{name}")})
    with pytest.raises(RenderError, match="division by zero"):
        render_sample(bucket.site())


def test_null_is_not_the_same_as_absent() -> None:
    answer = StatusAnswer("https://example.org/", "complete")
    written = msgspec.json.decode(msgspec.json.encode(answer))
    assert (written["built_at"], "last_error" in written) == (None, False)
    error = LastError("2026-03-01T12:00:00Z", "it failed", "StoreError", "1")
    for given in (None, error):
        replaced = msgspec.structs.replace(answer, last_error=given)
        assert msgspec.json.decode(msgspec.json.encode(replaced), type=StatusAnswer) == replaced


def test_without_settings_the_status_is_the_problem() -> None:
    error = RenderError("mine/sitemap.xml.j2: the template cannot be read")
    answer = status.status_without_settings(None, error)
    assert (answer.base_url, answer.url_count, answer.problems[0].kind) == (None, None, "templates")
