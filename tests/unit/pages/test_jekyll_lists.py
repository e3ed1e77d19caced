"""Which pages of a Jekyll source list others, and what they list, by templates as well-known themes have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from jekyll_builds import MakeSource

from waypost.core.model import Item

if TYPE_CHECKING:
    from collections.abc import Mapping

OLD, NEW = "_posts/2023-05-05-old.md", "_posts/2024-02-01-new.md"
POST = "---\nlayout: post\n---\nText\n"
POSTS = {OLD: POST, NEW: POST}
ALL = (OLD, NEW)
LOOP = "{% for post in site.posts %}<a href='{{ post.url }}'>{{ post.title }}</a>{% endfor %}"


def page(content: str = "", **values: str) -> str:
    lines = "".join(f"{name}: {value}\n" for name, value in values.items())
    return f"---\n{lines}---\n{content}\n"


def words(count: int) -> str:
    return " ".join(f"word{n}" for n in range(count))


def lists(make_source: MakeSource, files: Mapping[str, str], profile: str = "jekyll") -> dict[str, tuple[str, ...]]:
    """The lists of a site that has two posts, with their entries."""
    found = make_source({**POSTS, **files}, profile).items(lambda _: None)
    return {each.key: each.entries for each in found if isinstance(each, Item) and each.entries is not None}


MINIMA = (
    "---\nlayout: base\n---\n{{ content }}{% if site.paginate %}{% assign posts = paginator.posts %}{% else %}"
    "{% assign posts = site.posts %}{% endif %}{%- if posts.size > 0 -%}{%- for post in posts -%}{{ post.title }}"
    "{%- endfor -%}{%- endif -%}"
)
MISTAKES = {
    "_layouts/default.html": "{% include masthead.html %}{{ content }}",
    "_layouts/archive.html": page("{{ content }}", layout="default"),
    "_layouts/single.html": page(
        "{{ content }}{% for post in site.posts limit:4 %}{{ post.title }}{% endfor %}", layout="default"
    ),
    "_layouts/post.html": page("{{ content }}", layout="single"),
    "_layouts/home.html": page(
        "{{ content }}{% if paginator %}{% assign posts = paginator.posts %}{% else %}{% assign posts = site.posts %}"
        "{% endif %}{% include paginator.html %}",
        layout="archive",
    ),
    "_layouts/posts.html": page(
        "{% assign postsByYear = site.posts | where_exp: 'item', 'item.hidden != true' | group_by_exp: 'post', "
        "'post.date | date: \"%Y\"' %}{% for year in postsByYear %}{% for post in year.items %}"
        "{% include archive-single.html %}{% endfor %}{% endfor %}",
        layout="archive",
    ),
    "_layouts/category.html": page("{% include posts-category.html taxonomy=page.taxonomy %}", layout="archive"),
    "_includes/paginator.html": "{% for post in posts %}{% include archive-single.html %}{% endfor %}",
    "_includes/posts-category.html": "{%- for post in site.categories[include.taxonomy] -%}x{%- endfor -%}",
    "_includes/archive-single.html": "{{ post.title }}",
    "_includes/masthead.html": "{% for link in site.data.navigation.main %}x{% endfor %}" + LOOP,
}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"index.md": page(layout="home")}, {"index.html": ALL}),
        ({"index.md": page(layout="home"), "_layouts/home.html": MINIMA}, {"index.html": ALL}),
        ({**MISTAKES, "index.html": page(layout="home")}, {"index.html": ALL}),
        ({**MISTAKES, "years.md": page(layout="posts"), "a.md": page(layout="single")}, {"years.html": ALL}),
        ({**MISTAKES, "c/x.md": page(layout="category", taxonomy="x")}, {"c/x.html": ()}),
        ({"index.html": page(LOOP, layout="default"), "_layouts/default.html": "{{ content }}"}, {"index.html": ALL}),
        (
            {"tags.html": page("{% for t in site.tags %}{% for p in t[1] %}{% endfor %}{% endfor %}")},
            {"tags.html": ALL},
        ),
        ({"tags.html": page("{% for tag in site.tags %}{{ tag[0] }}{% endfor %}")}, {"tags.html": ()}),
        ({"tag.html": page("{% for post in site.tags[page.tag] %}x{% endfor %}")}, {"tag.html": ()}),
        ({"tag.html": page("{% for post in site.tags['a'] %}x{% endfor %}")}, {"tag.html": ()}),
        ({"tag.md": page(layout="tag")}, {"tag.html": ()}),
        ({"a.html": page("{% for post in site.posts limit:1 %}x{% endfor %}")}, {"a.html": (NEW,)}),
        ({"a.html": page("{% for post in site.posts limit:1 offset:1 %}x{% endfor %}")}, {"a.html": ALL}),
        ({"a.html": page("{% for post in site.posts limit:site.n %}x{% endfor %}")}, {"a.html": ()}),
        (
            {"a.html": page("{% assign p = site.posts | where: 'a', 'b' %}{% for q in p %}x{% endfor %}")},
            {"a.html": ()},
        ),
        (
            {"a.html": page("{% for p in site.posts %}{% if p.tags contains 'x' %}{% endif %}{% endfor %}")},
            {"a.html": ()},
        ),
        ({"a.html": page("{% for p in site.posts %}{% if p.image %}x{% endif %}{% endfor %}")}, {"a.html": ALL}),
        (
            {
                "a.html": page("{% include list.html posts=site.posts %}"),
                "_includes/list.html": "{% for p in include.posts %}x{% endfor %}",
            },
            {"a.html": ALL},
        ),
    ],
)
def test_pages_that_loop_over_posts_are_lists(
    make_source: MakeSource, files: Mapping[str, str], expected: Mapping[str, tuple[str, ...]]
) -> None:
    assert lists(make_source, files) == expected


DOCS = {"_config.yml": "collections:\n  docs:\n    output: true\n", "_docs/a.md": page(layout="default")}


@pytest.mark.parametrize(
    "files",
    [
        {**MISTAKES, "about.md": page("About me", layout="single")},
        {"about.md": page(layout="page"), "_layouts/page.html": "{{ content }}<aside>" + LOOP + "</aside>"},
        {
            "about.md": page(layout="page"),
            "_layouts/page.html": "{{ content }}{% include sidebar.html %}",
            "_includes/sidebar.html": LOOP,
        },
        {"a.md": page(layout="post"), "_layouts/post.html": LOOP},
        {"a.md": page(layout="base"), "_layouts/post.html": page(layout="base"), "_layouts/base.html": LOOP},
        {"a.md": page("{% for p in site.pages %}x{% endfor %}{% for a in site.data.x %}x{% endfor %}")},
        {"a.md": page("{% assign n = site.posts | size %}{% for i in (1..n) %}x{% endfor %}{{ site.posts.first }}")},
        {"a.md": page("{% raw %}" + LOOP + "{% endraw %}{% comment %}" + LOOP + "{% endcomment %}")},
        {"a.html": page("<script>" + LOOP + "</script>")},
        {"a.md": page("{% include ../_posts/x.md %}{% include {{ page.x }} %}{% include none.html %}")},
        {**dict.fromkeys(ALL, page(published="false")), "index.md": page(layout="home")},
        {**DOCS, "index.md": page(layout="default"), "_layouts/default.html": "{% for d in site.docs %}x{% endfor %}"},
        {"index.md": page("Welcome", layout="default"), "a.md": page(layout="none"), "b.md": page(layout="false")},
    ],
)
def test_loops_beside_the_content_and_of_other_things_make_no_list(
    make_source: MakeSource, files: Mapping[str, str]
) -> None:
    assert lists(make_source, files) == {}


def test_a_collection_is_listed_by_its_name(make_source: MakeSource) -> None:
    files = {
        **DOCS,
        "all.html": page("{% for d in site.docs %}x{% endfor %}"),
        "_layouts/default.html": "{{ content }}",
    }
    files["some.html"] = page("{% for d in site.docs limit:3 %}x{% endfor %}")
    assert lists(make_source, files) == {"all.html": ("_docs/a.md",), "some.html": ()}


def test_an_author_s_page_lists_posts_though_it_is_a_document_itself(make_source: MakeSource) -> None:
    files = {
        "_config.yml": "collections:\n  authors:\n    output: true\n",
        "_authors/a.md": page(layout="author"),
        "_layouts/author.html": "{% for post in site.posts %}{% if post.author == page.name %}x{% endif %}{% endfor %}",
    }
    assert lists(make_source, files) == {"authors/a.html": ()}


def test_a_page_with_a_short_introduction_is_a_list(make_source: MakeSource) -> None:
    assert lists(make_source, {"a.md": page(words(60) + LOOP)}) == {"a.html": ALL}
    assert lists(make_source, {"a.md": page(words(60), layout="home")}) == {"a.html": ALL}


def test_a_page_that_says_much_itself_is_no_list(make_source: MakeSource) -> None:
    assert lists(make_source, {"a.md": page(words(150) + LOOP), "b.md": page(words(150), layout="home")}) == {}


def test_a_page_that_lists_more_than_it_says_itself_is_a_list(make_source: MakeSource) -> None:
    posts = {f"_posts/2024-03-01-{n}.md": POST for n in range(18)}
    files = {**posts, "a.md": page(words(180) + LOOP), "b.md": page(words(220) + LOOP)}
    assert list(lists(make_source, files)) == ["a.html"]


def test_the_later_pages_of_a_pagination_are_lists_of_which_the_entries_are_not_told(make_source: MakeSource) -> None:
    files = {
        "_config.yml": "paginate: 1\nplugins: [jekyll-paginate]\n",
        "index.html": page("{% for post in paginator.posts %}x{% endfor %}"),
    }
    assert lists(make_source, files) == {"index.html": (NEW,), "page2/index.html": ()}


def test_github_pages_gives_the_home_page_of_minima_its_layout(make_source: MakeSource) -> None:
    minima = {"_config.yml": "theme: minima\n", "index.md": "", "about.md": ""}
    assert lists(make_source, minima, "github-pages") == {"index.html": ALL}
    assert lists(make_source, minima) == {}
    assert lists(make_source, {"_config.yml": "theme: cayman\n"}, "github-pages") == {}


def test_includes_that_include_themselves_end(make_source: MakeSource) -> None:
    files = {"a.html": page("{% include a.html %}"), "_includes/a.html": "{% include a.html %}" * 50 + LOOP}
    assert lists(make_source, files) == {"a.html": ALL}
