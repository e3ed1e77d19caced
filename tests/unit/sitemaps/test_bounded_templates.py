"""The bounds of a user's templates; test_render.py has their errors, with file and line."""

import pytest
from jinja2 import DictLoader, StrictUndefined
from jinja2.exceptions import SecurityError, TemplateError

from waypost.sitemaps import bounded_templates
from waypost.sitemaps.bounded_templates import BoundedEnvironment


def rendered(text: str, **values: object) -> str:
    environment = BoundedEnvironment(loader=DictLoader({"t": text}), undefined=StrictUndefined)
    return environment.bounded_text("t", values)


MOST_STEPS_TAKEN = "{% for i in range(99) %}{% set some_steps = range(100000) %}{% endfor %}"
"""Of ten million steps 100,000 are left."""
HOSTILE = {
    "loops in loops": (
        MOST_STEPS_TAKEN + "{% set n = [1] * 350 %}{% for a in n %}{% for b in n %}{% endfor %}{% endfor %}"
    ),
    "a filter in a loop": MOST_STEPS_TAKEN + "{% for a in range(999) %}{{ [1]|sum }}{{ range(999)|sum }}{% endfor %}",
    "calls of a macro": (
        MOST_STEPS_TAKEN + "{% macro f(n) %}{% if n %}{{ f(n-1) }}{{ f(n-1) }}{% endif %}{% endmacro %}{{ f(60) }}"
    ),
    "a text times a number": "{{ 'x' * 3000000000 }}",
    "a number times a text": "{{ 3000000000 * 'x' }}",
    "a list times a number": "{{ ([1] * 100000 * 100000)|length }}",
    "a power": "{{ 9 ** 999999999 }}",
    "a text joined to itself": (
        "{% set n = namespace(s='x') %}{% for i in range(60) %}{% set n.s = n.s ~ n.s %}{% endfor %}"
    ),
    "a text added to itself": (
        "{% set n = namespace(s='x') %}{% for i in range(60) %}{% set n.s = n.s + n.s %}{% endfor %}"
    ),
    "longer replacements": (
        "{% set n = namespace(s='x') %}{% for i in range(60) %}{% set n.s = n.s|replace('x','xxxx') %}{% endfor %}"
    ),
    "a long separator": "{% set a = 'x' * 1000000 %}{{ range(99999)|join(a) }}",
    "a wide format": "{{ '%1000000000d' % 1 }}",
    "a wide format of a filter": "{{ '%1000000000d'|format(1) }}",
    "a wide format of a method": "{{ '{:>1000000000}'.format(1) }}",
    "a width from an argument": "{{ '{:>{}}'.format(1, 1000000000) }}",
    "a width of an argument": "{{ '%*d' % (1000000000, 1) }}",
    "a wide column": "{{ 'x'|center(1000000000) }}",
    "a method that fills up": "{{ 'x'.ljust(1000000000) }}",
    "a method that replaces": "{{ ('x' * 9000000).replace('x', 'y' * 9000000) }}",
    "numbers times numbers": "{% set x = 3 ** 9000 %}{% set y = x * x %}",
    "a power of a long number": "{{ ('9' * 4000)|int ** 3000 }}",
    "a number as bytes": "{{ (255).to_bytes(2000000000, 'big') }}",
    "a long list": "{% set a = [1] * 50000000 %}",
    "many lists": "{% for i in range(99) %}{% set a = [1] * 900000 %}{% endfor %}",
    "a sum of lists": "{{ ([[1] * 30] * 30)|sum(start=[])|length }}",
    "searches in a long text": (
        "{% set s = 'a' * 50000000 %}{% for i in range(99) %}{% if 'b' in s %}{% endif %}{% endfor %}"
    ),
    "methods of a long text": (
        "{% set s = 'a' * 50000000 %}{% for i in range(99) %}{% set t = s.isdigit() %}{% endfor %}"
    ),
    **{
        f"lists in lists, {name}": (
            MOST_STEPS_TAKEN + "{% set n = namespace(x=[1], y=[1]) %}"
            "{% for i in range(16) %}{% set n.x = [n.x, n.x] %}{% set n.y = [n.y, n.y] %}{% endfor %}" + use
        )
        for name, use in {
            "compared": "{{ n.x == 1 }}",
            "compared with another": "{{ 1 == n.y }}",
            "shown": "{{ n.x }}",
            "as JSON": "{{ n.x|tojson }}",
            "as text": "{{ n.x|string|length }}",
            "joined": "{{ n.x ~ 'x' }}",
            "formatted": "{{ '%s' % (n.x,) }}",
            "formatted by a method": "{{ '{}'.format(n.x) }}",
            "found": "{{ n.x in [n.y] }}",
            "tested": "{{ n.x is eq n.y }}",
            "given to a method": "{{ [n.x].index(n.y) }}",
        }.items()
    },
    "tuples in tuples as keys": (
        MOST_STEPS_TAKEN
        + "{% set n = namespace(x=(1,)) %}{% for i in range(16) %}{% set n.x = (n.x, n.x) %}{% endfor %}"
        "{% if {n.x: 1} %}{% endif %}"
    ),
    "a long output": "{% set a = 'x' * 9000000 %}{% for i in range(1000) %}{{ a }}{% endfor %}",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_template_ends_at_a_bound(name: str) -> None:
    with pytest.raises(SecurityError):
        rendered(HOSTILE[name])


@pytest.mark.slow
def test_a_value_of_very_many_items_is_not_counted_to_its_end() -> None:
    text = "{% set n = namespace(x=[1]) %}{% for i in range(60) %}{% set n.x = [n.x, n.x] %}{% endfor %}{{ n.x }}"
    with pytest.raises(SecurityError, match="a value of more than 2,000,000 items"):
        rendered(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{{ ('a' * 10**7)|wordwrap(1) }}", "steps"),
        ("{{ ('<>' * 10**6)|striptags }}", "steps"),
        ("{{ ('a' * 10**7)|trim('b' * 10**6 ~ 'a') }}", "steps"),
        *(
            (f"{{{{ ('a' * 10**6).{name}('ab' ~ 'a' * 10**5) }}}}", "steps")
            for name in ("find", "rfind", "index", "rindex", "count", "split", "rsplit", "partition", "rpartition")
        ),
        *((f"{{{{ ('a' * 10**7).{name}('b' * 10**6 ~ 'a') }}}}", "steps") for name in ("strip", "lstrip", "rstrip")),
        ("{{ 'abc'|batch(10**9, 'x')|list }}", "a list of more than 1,000,000 items"),
        ("{{ 'abc'|slice(10**9)|list }}", "a list of more than 1,000,000 items"),
        ("{{ ('a' * 10**7)|list|length }}", "a text of more than 10,000 characters for a list"),
        ("{{ ('a' * 10**7)|groupby(0) }}", "a text of more than 10,000 characters for a list"),
        ("{{ ('a' * 10**7)|map('upper')|join }}", "a text of more than 10,000 characters for a list"),
        ("{{ 5|round(10**9, 'ceil') }}", "rounds a number to more than 100 digits"),
        ("{{ 5|round(-10**9) }}", "rounds a number to more than 100 digits"),
    ],
)
def test_filters_that_repeat_their_work_end_at_a_bound(text: str, problem: str) -> None:
    with pytest.raises(SecurityError, match=problem):
        rendered(text)


def test_filters_that_repeat_their_work_do_so_for_what_a_page_has() -> None:
    text = (
        "{{ (('word ' * 2_000)|wordwrap(79))|length }} {{ '<b>x</b>'|striptags }} {{ [1, 2, 3]|batch(2)|list|length }}"
    )
    assert rendered(text + " {{ 2.345|round(2) }}{{ ['a', 'b']|map('upper')|join }}") == "9999 x 2 2.35AB"


@pytest.mark.parametrize("text", ["{% include 't' %}{% include 't' %}", "{{ lipsum(100000000) }}"])
def test_other_ways_to_go_on_for_ever_are_errors_too(text: str) -> None:
    with pytest.raises((RecursionError, TemplateError)):
        rendered(text)


def test_what_a_sitemap_needs_is_as_in_jinja() -> None:
    text = (
        "{% macro m(x) %}[{{ x }}]{% endmacro %}{% for n in range(3) %}{{ n ~ '-' ~ 'b' }}{{ m(n * 2) }}{% endfor %}"
        "{{ 'a b'|replace(' ', '_')|upper }}{{ [1, 2]|join(',') }}{{ '{:,}'.format(1234) }}{{ 'x' * 3 }}{{ 2 ** 3 }}"
        "{{ '%05.1f'|format(2) }}{{ [1] + [2] }}{{ 'a\n b'|indent(2) }}"
    )
    assert rendered(text) == "0-b[0]1-b[2]2-b[4]A_B1,21,234xxx8002.0[1, 2]a\n   b"


@pytest.mark.slow
def test_the_largest_sitemap_with_many_versions_is_within_the_bounds() -> None:
    text = "{% for u in urls %}<url>{% for v in u %}<link>{{ v }}</link>{% endfor %}</url>{% endfor %}"
    assert rendered(text, urls=[["x"] * 30] * 50_000).count("<link>") == 1_500_000
    assert bounded_templates.MOST_STEPS > 50_000 * 31
