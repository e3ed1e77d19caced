"""The answer of a run over a bucket with a ledger."""

from __future__ import annotations

from fake_stores import SimulatedSite
from msgspec import UNSET
from msgspec.structs import replace

from waypost.app.run_answer import NO_PAGE, ChangeTotals, run_answer
from waypost.core.model import Example, SiteWarning
from waypost.sync import rebuild
from waypost.sync.result import RunResult


def simulated_site(*keys: str) -> SimulatedSite:
    site = SimulatedSite(urls=4, lastmod="content", state="x")
    for key in keys:
        site.put(key, "text")
    return site


def test_an_answer_has_what_the_run_did_and_what_the_ledger_lists_after_it() -> None:
    site = simulated_site("a.html", "b.html", "style.css")
    built = run_answer(site.updater(), rebuild.rebuild(site.updater()))
    assert (built.finished, built.url_count, built.sitemap_count, built.warnings) == (True, 2, 1, [])
    assert (built.objects_listed, built.objects_read, built.records_changed) == (3, 2, 2)
    assert (built.written, built.ignored) == (("sitemap.xml",), {"not-a-page": 1})
    assert built.root_sitemaps == ["https://example.org/sitemap.xml"]
    assert built.generation == site.manifest().generation


def test_changes_are_counted_by_their_kind() -> None:
    site = simulated_site("a.html", "b.html")
    rebuild.rebuild(site.updater())
    site.put("a.html", "other text")
    site.put("c.html", "text")
    site.delete("b.html")
    answer = run_answer(site.updater(), rebuild.update(site.updater(), ["a.html", "b.html", "c.html"]))
    assert answer.changes == ChangeTotals(added=1, removed=1, lastmod_changed=1)
    assert (answer.url_count, answer.objects_listed) == (2, 0)


def test_a_run_that_ran_out_of_time_is_not_finished_and_has_the_key_to_continue_after() -> None:
    site = simulated_site(*(f"{n}.html" for n in range(9)))
    stopped = run_answer(site.updater(), rebuild.rebuild(site.updater(), lambda: True))
    assert (stopped.finished, stopped.resume_after) == (False, "")
    finished = run_answer(site.updater(), rebuild.rebuild(site.updater()))
    assert (finished.finished, finished.resume_after) == (True, UNSET)


def test_a_bucket_without_a_page_is_a_warning_after_those_of_the_run() -> None:
    site = simulated_site("style.css")
    warning = SiteWarning("code", "a message", 1, (Example("style.css"),))
    result = replace(rebuild.rebuild(site.updater()), warnings=(warning,))
    first, last = run_answer(site.updater(), result).warnings
    assert first.startswith("code: a message")
    assert last == NO_PAGE


def test_keys_are_in_visible_characters() -> None:
    site = simulated_site("a.html")
    rebuild.rebuild(site.updater())
    answer = run_answer(site.updater(), RunResult(failed={"a\n.html": "no bytes"}, not_found=("b\udcff.html",)))
    assert (answer.failed, answer.not_found) == ({"a\\n.html": "no bytes"}, ("b\\xff.html",))
    assert answer.url_count == 1
