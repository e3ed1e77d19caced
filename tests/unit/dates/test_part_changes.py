"""Which commits change a part of a file."""

import pytest

from waypost.core.page_changes import part_name
from waypost.dates.part_changes import are_alike, endings_of

DOC = 'def water():\n    """Water it."""\n    return 1\n\n\ndef dig():\n    """Dig."""\n'
TAGS = "# tag::a[]\none\n# end::a[]\ntwo\n"


@pytest.mark.parametrize(
    ("region", "path", "before", "after", "is_change"),
    [
        ("object:water", "g.py", DOC, DOC.replace("return 1", "return 2"), False),
        ("object:water", "g.py", DOC, DOC.replace("Water it", "Water them"), True),
        ("object:water", "g.py", DOC, DOC.replace("Dig.", "Dig deep."), False),
        ("object:water", "g.py", DOC, DOC.replace("Water it.", "Water\n    it."), False),
        ("object:water", "g.py", DOC.replace("water", "pour"), DOC, True),
        ("object:water", "g.py", DOC.replace("Water it", "Pour it"), DOC, True),
        ("members:", "g.py", DOC, DOC.replace("Dig.", "Dig deep."), True),
        ("members:", "g.py", DOC.replace("Dig.", "Dig.\n\n    Deep."), DOC, True),
        ("members:", "g.py", DOC, DOC.replace("def dig():\n", "def dig(deep=1):\n"), False),
        ("members:", "g.py", DOC, DOC.replace('\n\ndef dig():\n    """Dig."""\n', ""), True),
        (
            "members:",
            "g.py",
            DOC.replace("Dig.", "Dig.\n```python\ndig('a')\n```\n"),
            DOC.replace("Dig.", 'Dig.\n```python\ndig("a")\n```\n'),
            False,
        ),
        ("members:", "g.py", DOC.replace("Dig.", "Dig 'a'."), DOC.replace("Dig.", "Dig a."), True),
        ("all:", "g.py", f"{DOC}\n\ndef plain():\n    pass\n", DOC, True),
        ("members:", "g.py", f"{DOC}\n\ndef plain():\n    pass\n", DOC, False),
        ("names:b.adoc", "a.adoc", "= A\n", "= A\n\ninclude::b.adoc[]\n", True),
        ("names:b.adoc", "a.adoc", "= A\n\ninclude::b.adoc[]\n", "= B\n\n== C\n\ninclude::../in/b.adoc[]\n", False),
        ("names:b.adoc", "a.adoc", "include::b.adoc[tag=c]\n", "include::b.adoc[tag=d]\n", True),
        ("tag:a", "g.rb", TAGS, TAGS.replace("two", "2"), False),
        ("tag:a", "g.rb", TAGS, TAGS.replace("one", "1"), True),
        ("tag:a", "g.rb", TAGS, TAGS.replace("one", "  one\r\n"), False),
        ("tag:a", "g.rs", TAGS.replace("one", "f(a, b)"), TAGS.replace("one", "f(\n    a,\n    b,\n)"), False),
        ("tag:a", "g.rs", TAGS.replace("one", "f(a, b)"), TAGS.replace("one", "f(a b)"), True),
    ],
)
def test_a_commit_changes_a_part_if_its_words_are_others(
    region: str, path: str, before: str, after: str, *, is_change: bool
) -> None:
    assert are_alike(part_name(region, path), after.encode(), before.encode()) != is_change


def test_the_endings_are_those_of_the_files() -> None:
    names = [part_name("tag:a", "a/b.RB"), part_name("object:", "c.py"), part_name("object:x", "d.py")]
    assert endings_of(names) == (".py", ".rb")
