"""The tags and the text of a template in Liquid."""

from waypost.pages.liquid import tags, unconditional


def test_tags_are_told_from_text_that_is_not_run() -> None:
    text = "{%- if a -%}{% raw %}{% for b in c %}{% endraw %}{% comment %}{% raw %}{% endcomment %}{% endif %}{% open"
    assert [(each.name, each.markup) for each in tags(text)] == [("if", "a"), ("endif", "")]


def test_only_what_no_block_encloses_is_there_whatever_the_site_has() -> None:
    text = "a{% if x %}b{% for y in z %}c{% endfor %}{% endif %}d{% assign e = 1 %}f"
    assert "".join(unconditional(text)) == "adf"
