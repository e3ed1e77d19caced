"""The configuration, and what it refuses."""

from datetime import UTC
from pathlib import Path

import pytest

from waypost.core.errors import SourceError
from waypost.files.folder_source import FolderSource
from waypost.pages import jekyll_config as names
from waypost.pages.jekyll_config import (
    Collection,
    JekyllConfig,
    Profile,
    gems_of_plugin_group,
    read_config,
    refuse_page_makers,
    unknown,
)

NOW = 1_717_243_200


def config(folder: Path, text: str, profile: Profile = "jekyll", **files: str) -> JekyllConfig:
    for name, content in {"_config.yml": text, **files}.items():
        (folder / name).write_text(content)
    return read_config(FolderSource(folder), profile, NOW)


def test_without_a_configuration_jekylls_defaults_hold(tmp_path: Path) -> None:
    read = read_config(FolderSource(tmp_path), "jekyll", NOW)
    assert (read.source, read.permalink, read.zone, read.include) == ("", "date", UTC, (".htaccess",))
    assert read.destination == "_site/"
    assert "vendor/bundle/" in read.exclude
    assert read.markdown_extensions == {".markdown", ".mkdown", ".mkdn", ".mkd", ".md"}
    assert read.now.isoformat() == "2024-06-01T12:00:00+00:00"
    assert read.collections == (Collection("posts", True, "/:categories/:year/:month/:day/:title:output_ext"),)


def test_a_style_is_short_for_the_template_of_posts_but_a_collections_permalink_is_literal(tmp_path: Path) -> None:
    text = "permalink: pretty\ncollections:\n  docs: {output: true, permalink: pretty}\n  notes:\n"
    posts, docs, notes = config(tmp_path, text).collections
    assert posts.permalink == "/:categories/:year/:month/:day/:title/"
    assert docs == Collection("docs", True, "pretty")
    assert notes == Collection("notes", False)


def test_collections_may_be_a_list_of_names(tmp_path: Path) -> None:
    assert [each.label for each in config(tmp_path, "collections: [a, 'b c']").collections] == ["posts", "a", "bc"]


def test_own_exclusions_are_added_but_replace_the_defaults_on_github_pages(tmp_path: Path) -> None:
    assert config(tmp_path, "exclude: [x]").exclude[:2] == ("x", ".sass-cache")
    assert config(tmp_path, "exclude: [x]", "github-pages").exclude == ("x",)
    assert "Gemfile" in config(tmp_path, "", "github-pages").exclude
    assert "gemfiles" not in config(tmp_path, "", "github-pages").exclude
    assert config(tmp_path, "exclude: x, y").exclude[:2] == ("x", "y")


@pytest.mark.parametrize("name", ["_config.yml", "_config.yaml", "_config.toml"])
def test_the_configuration_has_one_of_three_names(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text('permalink = "x"' if name.endswith("toml") else "permalink: x")
    assert read_config(FolderSource(tmp_path), "jekyll", NOW).permalink == "x"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: [\n", r"_config\.yml:3: not valid YAML"),
        ("- a\n", "has no settings"),
        ("exclude: 7", "exclude: Jekyll needs a list"),
        ("source: ../x", "source: ../x is outside"),
        ("time: soon", "time: 'soon' is not a date"),
        ("plugins: [jekyll-archives]", "the plugin jekyll-archives"),
    ],
)
def test_what_cannot_be_built_is_an_error_that_says_where(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        config(tmp_path, text)


def test_toml_that_is_not_valid_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "_config.toml").write_text("a = ")
    with pytest.raises(SourceError, match=r"_config\.toml: not valid TOML: Invalid value"):
        read_config(FolderSource(tmp_path), "jekyll", NOW)


def test_a_plugin_of_the_sites_own_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "_plugins" / "deep").mkdir(parents=True)
    config(tmp_path, "")
    (tmp_path / "_plugins" / "deep" / "tags.rb").write_text("")
    for profile in ("jekyll", "github-pages"):
        with pytest.raises(SourceError, match=r"_plugins/deep/tags\.rb, .*_site"):
            config(tmp_path, "", profile)
    assert config(tmp_path, "safe: true").plugins == frozenset()


def test_plugins_come_from_the_settings_and_the_gemfile(tmp_path: Path) -> None:
    gemfile = "group :jekyll_plugins do\n gem 'jekyll-paginate'\nend\n"
    read = config(tmp_path, "plugins: [jekyll-redirect-from, own]", Gemfile=gemfile)
    assert read.plugins == {"jekyll-redirect-from", "jekyll-paginate", "own"}
    assert read.unknown_plugins == ("own",)


def test_safe_mode_runs_only_the_plugins_of_the_whitelist(tmp_path: Path) -> None:
    text = "safe: true\nplugins: [jekyll-redirect-from, jekyll-archives]\nwhitelist: [jekyll-redirect-from]\n"
    assert config(tmp_path, text).plugins == {"jekyll-redirect-from"}


def test_github_pages_runs_its_own_plugins_and_sets_source_and_destination(tmp_path: Path) -> None:
    text = "plugins: [own]\ngems: [jekyll-redirect-from]\nsource: x\ndestination: y\n"
    read = config(tmp_path, text, "github-pages")
    assert read.plugins == {
        "jekyll-paginate",
        "jekyll-readme-index",
        "jekyll-optional-front-matter",
        "jekyll-redirect-from",
    }
    assert (read.source, read.destination) == ("", "_site/")


def test_the_gem_github_pages_makes_a_site_one_of_github_pages(tmp_path: Path) -> None:
    read = config(tmp_path, "", Gemfile="gem 'github-pages', group: :jekyll_plugins")
    assert "jekyll-readme-index" in read.plugins


def test_a_time_zone_that_is_unknown_is_utc(tmp_path: Path) -> None:
    assert str(config(tmp_path, "timezone: Europe/Berlin").zone) == "Europe/Berlin"
    unknown = config(tmp_path, "timezone: Nowhere/City")
    assert (unknown.zone, unknown.unknown_zone) == (UTC, "Nowhere/City")


def test_settings_of_plugins_are_read_by_group_and_name(tmp_path: Path) -> None:
    read = config(tmp_path, "readme_index: {enabled: false}\npaginate: 5\nfuture: true\n")
    assert read.option("readme_index", "enabled") is False
    assert read.option("other", "enabled") is None
    assert (read.number("paginate"), read.number("limit_posts")) == (5, 0)
    assert (read.is_on("future"), read.is_on("unpublished")) == (True, False)


@pytest.mark.parametrize("name", ["/abs", "link", "a\0b"])
def test_plugins_outside_of_the_site_are_not_read(tmp_path: Path, name: str) -> None:
    outside, site = tmp_path / "outside", tmp_path / "site"
    outside.mkdir()
    site.mkdir()
    (outside / "a.rb").write_text("")
    (site / "link").symlink_to(outside)
    with pytest.raises(SourceError, match="is outside of the folder"):
        config(site, f'plugins_dir: "{name}"'.replace("/abs", str(outside)).replace("\0", "\\0"))


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("_config.yml", "a: " + "[" * 50_000, "not valid YAML: it is nested"),
        ("_config.toml", "a = " + "1" * 5_000, "not valid TOML: it has a number"),
        ("_config.toml", "[permalink." + "a." * 3_000 + "b]", "not valid TOML: a key has more than 10 parts"),
        ("_config.yml", "exclude: [" + "a," * 2_000 + "]", "exclude: Waypost reads at most 1,000 patterns"),
        ("_config.yml", "time: 9999-12-31 23:00:00 -10:00", "time: .* not in the years"),
    ],
)
def test_a_configuration_over_a_limit_is_refused(tmp_path: Path, name: str, text: str, problem: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(SourceError, match=problem):
        read_config(FolderSource(tmp_path), "jekyll", NOW)


def test_each_plugin_is_in_one_table() -> None:
    assert not names.IMPLEMENTED & (names.WITHOUT_PAGES | names.PAGE_MAKERS)
    assert not names.WITHOUT_PAGES & names.PAGE_MAKERS


def test_all_that_github_pages_allows_is_known() -> None:
    assert names.ON_GITHUB_PAGES <= names.ALLOWED_BY_GITHUB_PAGES <= names.IMPLEMENTED | names.WITHOUT_PAGES


GEMFILE = """
source "https://example.org"
gem "jekyll", "~> 4.3"
gem 'jekyll-alone', group: :jekyll_plugins
gem "jekyll-old", :group => [:jekyll_plugins]
# gem "github-pages", group: :jekyll_plugins
group :jekyll_plugins do
  gem "jekyll-feed"
  #gem "jekyll-archives"
  gem("jekyll-sitemap", "~> 1.4")
end
group :test do
  gem "rspec"
end
"""


def test_the_gems_of_the_plugin_group_are_plugins() -> None:
    assert gems_of_plugin_group(GEMFILE) == {"jekyll-alone", "jekyll-old", "jekyll-feed", "jekyll-sitemap"}


def test_plugins_that_make_pages_are_refused_by_name() -> None:
    with pytest.raises(SourceError, match=r"the plugins jekyll-archives, jekyll-paginate-v2, whose .*_site"):
        refuse_page_makers(["jekyll-paginate-v2", "jekyll-feed", "jekyll-archives"])
    refuse_page_makers(["jekyll-feed", "jekyll-paginate"])


def test_a_plugin_that_is_in_no_table_is_unknown() -> None:
    assert unknown(["own-plugin", "jekyll-feed", "jekyll-paginate", "jekyll-archives"]) == ["own-plugin"]


@pytest.mark.parametrize(
    "line", ["group " * 50_000 + ":jekyll_plugins " * 50_000, "gem 'a' " + "group: " * 200_000, "gem" + " (" * 200_000]
)
def test_a_long_line_of_a_gemfile_is_read_once(line: str) -> None:
    assert gems_of_plugin_group(line) == frozenset()
