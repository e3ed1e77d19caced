"""Which plugins a site runs."""

import pytest

from waypost.core.errors import SourceError
from waypost.pages.jekyll_config import gems_of_plugin_group, refuse_page_makers, unknown

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
