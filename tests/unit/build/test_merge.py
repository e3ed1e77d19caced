"""The job of `waypost merge`, which `tests/unit/cli/test_merge_command.py` runs."""

from pathlib import Path

from unit.cli.invoke import BASE, urlset

from waypost.build.merge import prepare
from waypost.core.private_hosts import NO_PRIVATE_HOST
from waypost.settings.load import ConfigSource


def test_no_file_of_the_output_is_a_page(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<title>Home</title>")
    (tmp_path / "a.xml").write_text(urlset("a"))
    flags = ConfigSource("flags", {"base_url": BASE})
    plan = prepare([str(tmp_path / "a.xml")], tmp_path, flags, is_index=False, private=NO_PRIVATE_HOST).plan()
    assert [page.loc for page in plan.pages] == [f"{BASE}a"]


def test_robots_txt_of_the_output_counts(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_text("User-agent: *\nDisallow: /a")
    (tmp_path / "a.xml").write_text(urlset("a", "b"))
    flags = ConfigSource("flags", {"base_url": BASE})
    plan = prepare([str(tmp_path / "a.xml")], tmp_path, flags, is_index=False, private=NO_PRIVATE_HOST).plan()
    assert [page.loc for page in plan.pages] == [f"{BASE}b"]
