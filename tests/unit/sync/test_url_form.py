import re

import pytest
from fake_stores import MemoryBucket, SimulatedSite

from waypost.core.errors import RemovalError
from waypost.core.model import OPEN_URL_FORM, Body, Item, LinkedShapes, UrlForm
from waypost.sync import inspect, rebuild
from waypost.sync.url_form import MAX_FOLDERS, MAX_PAGES, find_url_form

MENU = "".join(f'<a href="/{n}">{n}</a>' for n in range(5))
OLD_MENU = "".join(f'<a href="/{n}.html">{n}</a>' for n in range(5))
LEFT_OPEN = {"drop_html": None, "trailing_slash": None}


def linked_site(menu: str = MENU) -> SimulatedSite:
    site = SimulatedSite(urls=50_000, **LEFT_OPEN)
    for n in range(5):
        site.put(f"{n}.html", f"{menu}{n}")
    return site


def test_a_first_build_lists_pages_as_the_links_name_them_and_updates_follow() -> None:
    site = linked_site()
    rebuild.rebuild(site.updater())
    site.put("5.html", "no link")
    rebuild.update(site.updater(), ["5.html"])
    assert site.manifest().url_form == UrlForm(page="bare")
    assert b"<loc>https://example.org/5</loc>" in site.outputs.bodies()["sitemap.xml"]


def test_an_update_keeps_the_form_although_links_change_and_a_check_reports_it() -> None:
    site = linked_site()
    rebuild.rebuild(site.updater())
    for n in range(5):
        site.put(f"{n}.html", f"{OLD_MENU}{n}")
    rebuild.update(site.updater(), [f"{n}.html" for n in range(5)])
    assert site.manifest().url_form == UrlForm(page="bare")
    assert inspect.check(site.updater()).linked_form == "/ /folder/ /page became / /folder/ /page.html"


def test_a_rebuild_finds_the_form_again_and_warns_of_the_change() -> None:
    site = linked_site()
    rebuild.rebuild(site.updater())
    for n in range(5):
        site.put(f"{n}.html", f"{OLD_MENU}{n}")
    result = rebuild.rebuild(site.updater())
    assert [warning.code for warning in result.warnings] == ["url-form-changed"]
    assert site.manifest().url_form == UrlForm(page="file")
    assert b"<loc>https://example.org/4.html</loc>" in site.outputs.bodies()["sitemap.xml"]
    assert site.is_in_sync()


def test_links_that_no_longer_decide_lead_to_the_default_as_in_a_first_build() -> None:
    site = linked_site()
    rebuild.rebuild(site.updater())
    for n in range(5):
        site.put(f"{n}.html", f"no links any more {n}")
    rebuild.rebuild(site.updater())
    assert site.manifest().url_form == OPEN_URL_FORM
    assert b"<loc>https://example.org/4.html</loc>" in site.outputs.bodies()["sitemap.xml"]


def test_a_form_that_changed_is_taken_after_a_first_call_that_had_no_time_for_more_than_counting() -> None:
    site = SimulatedSite(urls=50_000, **LEFT_OPEN)
    own = {n: f'<link rel=canonical href="/{n}.html">' if n >= 10 else "" for n in range(30)}  # most URLs do not move
    for n in range(30):
        site.put(f"{n}.html", f"{own[n]}{OLD_MENU}{n}")
    rebuild.rebuild(site.updater())
    for n in range(30):
        site.put(f"{n}.html", f"{own[n]}{MENU}{n}")
    is_late = iter([True])
    first = rebuild.rebuild(site.updater(), lambda: next(is_late, False))
    assert first.resume_after
    rebuild.rebuild(site.updater(), start_after=first.resume_after)
    assert site.manifest().url_form == UrlForm(page="bare")


def test_a_redirect_beside_a_page_does_not_take_its_url() -> None:
    site = SimulatedSite(urls=50_000, **LEFT_OPEN)
    refresh = '<meta http-equiv=refresh content="0; url=/x"><meta name=robots content=noindex>'
    site.put("x.html", '<link rel=canonical href="/x">hello')
    site.put("x/index.html", f'<link rel=canonical href="/x">{refresh}')
    rebuild.rebuild(site.updater())
    assert b"<loc>https://example.org/x</loc>" in site.outputs.bodies()["sitemap.xml"]


def test_alternates_follow_a_page_that_gets_another_url() -> None:
    site = SimulatedSite(urls=50_000, alternates=True, **LEFT_OPEN)
    links = '<link rel=alternate hreflang=en href="/en.html"><link rel=alternate hreflang=de href="/de.html">'
    for key in ("en.html", "de.html"):
        site.put(key, links)
    rebuild.rebuild(site.updater())
    site.put("en.html", f'{links}<link rel=canonical href="/en/">')
    rebuild.update(site.updater(), ["en.html"])
    body = site.outputs.bodies()["sitemap.xml"]
    assert body.count(b'hreflang="en" href="https://example.org/en/"') == 2


def test_a_file_that_takes_over_a_url_ends_the_alternates_of_the_one_before() -> None:
    site = SimulatedSite(urls=50_000, alternates=True, **LEFT_OPEN)
    site.put("en.html", '<link rel=alternate hreflang=en href="/en.html"><link rel=alternate hreflang=de href="/de/">')
    site.put(
        "de.html", '<link rel=alternate hreflang=en href="/en.html"><link rel=alternate hreflang=de href="/de.html">'
    )
    rebuild.rebuild(site.updater())
    site.put("de/index.html", "no alternates")
    rebuild.update(site.updater(), ["de/index.html"])
    updated = site.outputs.bodies()["sitemap.xml"]
    twin = site.twin()
    rebuild.rebuild(twin.updater())
    assert twin.outputs.bodies()["sitemap.xml"] == updated


def test_a_page_s_own_canonical_link_takes_effect_with_its_upload() -> None:
    site = linked_site()
    rebuild.rebuild(site.updater())
    site.put("1.html", '<link rel="canonical" href="/1/">')
    rebuild.update(site.updater(), ["1.html"])
    assert b"<loc>https://example.org/1/</loc>" in site.outputs.bodies()["sitemap.xml"]
    assert site.is_in_sync()


def test_a_canonical_link_makes_a_page_a_duplicate_of_another_file_and_back() -> None:
    site = linked_site()
    site.put("d/index.html", "d")
    site.put("d.html", "page")
    rebuild.rebuild(site.updater())
    listed = site.outputs.bodies()["sitemap.xml"]
    assert b"/d</loc>" in listed
    assert b"/d/</loc>" in listed
    site.put("d.html", '<link rel="canonical" href="/d/">')
    rebuild.update(site.updater(), ["d.html"])
    assert b"/d</loc>" not in site.outputs.bodies()["sitemap.xml"]
    site.put("d.html", "page")
    rebuild.update(site.updater(), ["d.html"])
    assert site.outputs.bodies()["sitemap.xml"] == listed
    assert site.is_in_sync()


def test_settings_that_decide_the_form_need_no_reads() -> None:
    site = SimulatedSite(urls=50_000, drop_html=True, trailing_slash="auto")
    for n in range(5):
        site.put(f"{n}.html", MENU)
    requests = site.counted(lambda: find_url_form(site.updater()))
    assert list(requests) == []


class DeniedPages(MemoryBucket):
    """A bucket whose objects may be listed and not read."""

    def read(self, item: Item, size: int | None = None) -> Body:
        del size
        raise PermissionError(13, "AccessDenied", item.key)


def put_linking(site: SimulatedSite, folder: str, pages: int, href: str) -> None:
    """Upload pages into a folder that link to five names in the form of `href`."""
    links = "".join(f'<a href="{href.format(n)}">{n}</a>' for n in range(5))
    for n in range(pages):
        site.put(f"{folder}{n}.html", f"<title>{n}</title>{links}{folder}{n}")


def locs(site: SimulatedSite) -> set[str]:
    return set(re.findall("<loc>https://example.org/([^<]*)", site.outputs.bodies()["sitemap.xml"].decode()))


@pytest.mark.parametrize("uploaded", ["user/", "docs/user/", "docs/0/", "a/b/c/"])
def test_uploads_of_one_folder_do_not_move_the_urls_of_another(uploaded: str) -> None:
    site = SimulatedSite(urls=50_000, **LEFT_OPEN)
    put_linking(site, "docs/", 30, "/docs/{}.html")
    put_linking(site, "blog/", 30, "/blog/{}")
    rebuild.rebuild(site.updater())
    before = locs(site)
    assert {"docs/4.html", "blog/4"} < before
    put_linking(site, uploaded, 400, "/docs/{}/")
    put_linking(site, f"{uploaded}more/", 400, "/blog/{}.html")
    rebuild.rebuild(site.updater())
    assert before < locs(site)


def test_a_folder_s_own_pages_decide_about_it_and_about_folders_below_that_do_not() -> None:
    site = SimulatedSite(urls=50_000, **LEFT_OPEN)
    put_linking(site, "", 5, "/{}")
    put_linking(site, "docs/", 5, "/docs/{}/")
    put_linking(site, "docs/own/", 5, "/docs/own/{}.html")
    put_linking(site, "docs/none/", 5, "/elsewhere/{}.html")
    put_linking(site, "up/", 5, "/docs/{}.html")
    rebuild.rebuild(site.updater())
    file, slash = LinkedShapes(page="file"), LinkedShapes(page="slash")
    shapes = (("docs/", slash), ("docs/own/", file), ("up/", file))
    assert site.manifest().url_form == UrlForm(page="bare", folders=shapes)
    assert {"4", "docs/4/", "docs/own/4.html", "docs/none/4/", "up/4.html"} < locs(site)


def test_links_to_folders_decide_about_the_folders_that_are_there() -> None:
    site = SimulatedSite(urls=50_000, **LEFT_OPEN)
    site.put("posts/index.html", "".join(f'<a href="/posts/{n}">{n}</a><a href="/posts/no{n}/">' for n in range(10)))
    for n in range(10):
        site.put(f"posts/{n}/index.html", f"<title>{n}</title>{n}")
    rebuild.rebuild(site.updater())
    assert site.manifest().url_form == UrlForm(folders=(("posts/", LinkedShapes(folder="bare")),))
    assert {"posts", "posts/4"} < locs(site)


def test_a_form_that_would_move_most_urls_is_refused_unless_the_owner_accepts_it() -> None:
    site = SimulatedSite(urls=50_000, **LEFT_OPEN)
    put_linking(site, "docs/", 30, "/docs/{}.html")
    rebuild.rebuild(site.updater())
    put_linking(site, "docs/", 30, "/docs/{}")
    with pytest.raises(RemovalError, match=r"30 of the 30 listed URLs .*\n(.*\n)+.*below docs/: "):
        rebuild.rebuild(site.updater())
    assert "docs/4.html" in locs(site)
    rebuild.rebuild(site.updater(), max_removed=100)
    assert "docs/4" in locs(site)


def test_the_requests_are_bounded_and_equally_many_for_each_folder_of_a_depth() -> None:
    site = SimulatedSite(urls=50_000, **LEFT_OPEN)
    put_linking(site, "", 2 * MAX_PAGES, "/{}")
    for n in range(2 * MAX_FOLDERS):
        site.put(f"many/{n}/index.html", "one page")
        site.put(f"more/{n}/index.html", "one page")
    requests = list(site.counted(lambda: find_url_form(site.updater())))
    listed = [request.removeprefix("LIST site/") for request in requests if request.startswith("LIST")]
    assert len(listed) == MAX_FOLDERS
    assert abs(sum(name.startswith("many/") for name in listed) - MAX_FOLDERS / 2) <= 1
    assert len(requests) - len(listed) == MAX_PAGES + MAX_FOLDERS - 3


def test_a_page_that_cannot_be_read_shows_no_links() -> None:
    site = linked_site()
    site.source = DeniedPages(site.gate, site.source.objects)
    assert find_url_form(site.updater()) == OPEN_URL_FORM


def test_folders_that_the_settings_exclude_are_not_looked_at() -> None:
    site = SimulatedSite(urls=50_000, exclude=["old/"], **LEFT_OPEN)
    put_linking(site, "old/", 5, "/old/{}.html")
    requests = list(site.counted(lambda: find_url_form(site.updater())))
    assert requests == ["LIST site/"]


def test_a_page_whose_canonical_link_decides_does_not_count_as_moved() -> None:
    site = SimulatedSite(urls=50_000, **LEFT_OPEN)
    for menu in (MENU, OLD_MENU):
        for n in range(30):
            site.put(f"{n}.html", f'<link rel=canonical href="/{n}">{menu}{n}')
        rebuild.rebuild(site.updater())
    assert site.manifest().url_form == UrlForm(page="file")
