"""Which changes of a file change what it gives a page, and which only write the same in another way."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from waypost.core.page_changes import PageChange, Verdicts, Version
from waypost.dates.source_changes import SourceChanges, are_alike
from waypost.pages.own_dates import MODIFICATION_KEYS

FORMATTED = Path(__file__).parents[2] / "fixtures" / "formatted"
FRONT = "---\ntitle: Roses\ntags: [red, garden]\n---\n"


def is_alike(path: str, before: str, after: str) -> bool:
    return are_alike(path, after.encode(), before.encode())


@pytest.mark.parametrize("file", sorted(path.name for path in FORMATTED.iterdir() if path.stem != "original"))
def test_what_a_formatter_wrote_is_alike(file: str) -> None:
    """Prettier 3.10, mdformat 1.0 and remark 15 wrote these files."""
    original = FORMATTED / f"original{Path(file).suffix}"
    assert are_alike(file, (FORMATTED / file).read_bytes(), original.read_bytes())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("One two\nthree four.\n", "One two three\nfour.\n"),
        ("* one\n* two\n", "- one\n- two\n"),
        ("Text\n\n* one\n* two\n", "Text\n\n- one\n- two\n"),
        ("1) one\n2) two\n", "1. one\n2. two\n"),
        ("Text *here* and **there**.", "Text _here_ and __there__."),
        ("# Title #\n\nText", "# Title\n\n\nText\n"),
        ("Title\n=====\n\nText\n\nPart\n---\n", "# Title\n\nText\n\n## Part\n"),
        ("##Part\n\nText\n\n ### More", "## Part\n\nText\n\n### More"),
        ("One\ntwo\n---\n", "One two\n-----\n"),
        ("| a | b |\n|---|---|\n| c | d |", "| a   | b   |\n| --- | --- |\n| c   | d   |"),
        (FRONT + "Text", "---\ntags:\n  - red\n  - garden\ntitle: 'Roses'\n---\n\nText\n"),
        ("Text\r\nmore\r\n", "Text\nmore\n"),
        ((FRONT + "Text").replace("\n", "\r\n"), FRONT + "Text"),
        ("日本語の\n文章です。", "日本語の文章です。"),
        ("Text\n\nmore", "Text\n\n<!-- todo:\na picture -->\n\nmore"),
        (":white_check_mark: and a*b", r":white\_check\_mark: and a\*b"),
        ("a | b\n---|---\nc | d", "| a | b |\n|---|---|\n| c | d |"),
        ("> One two\n> three four.\n", "> One two three\nfour.\n"),
        ("> One\n---\n", "> One\n>\n\n---\n"),
        ('<a href="/">Text</a>', '<a\n  href="/"\n>Text</a\n>'),
        ("\ufeff" + FRONT + "Text", FRONT + "Text"),
        (FRONT + "Text", '+++\ntitle = "Roses"\ntags = ["red", "garden"]\n+++\nText'),
        (
            "---\ntitle: PHP知识点\ntags: [用PHP吗]\n---\nText",
            '---\ntitle: "PHP 知识点"\ntags: ["用 PHP 吗"]\n---\nText',
        ),
        ("---\nsummary: One two\n---\nText", "---\nsummary: >-\n  One\n  two\n---\nText"),
        ("Text\n\n***\n\nmore", "Text\n\n______\n\nmore"),
        ("See https://example.org/a.", "See <https://example.org/a>."),
        ("See [a][] and [b]\n\n[b]: /b\n[a]: /a", "See [a] and [b]\n\n[a]: /a\n[b]: </b>"),
        ("One<br>two", "One<br />two"),
        ("One&nbsp;two &mdash; three\\\nfour", "One\u00a0two — three  \nfour"),
        ("Caf%C3%A9 [a](/caf%C3%A9)", "Caf%C3%A9 [a](/café)"),
        ("``` js\nf('a')\n```", '~~~js\nf("a");\n~~~'),
        ("Use ``a``", "Use `a`"),
        ("```js\nf({\n  a: b // c\n})\n```", "```js\nf({\n  a: b, // c\n});\n```"),
        ("```js\nf(a /* ... */)\n```", "```js\nf(a, /* ... */);\n```"),
        ("1. *a*\n1. b", "1. _a_\n2. b"),
        ("- *a*\n- b", "- _a_\n\n- b"),
        ("1. a\n\n   - b", "1. a\n\n  * b"),
        ("Text\n\n[a]: /b", "Text"),
        ("Text\n\n    make water", "Text\n\n```\nmake water\n```"),
        ("```css\na { b: c }\n```\n\n* *x*", "```css\na {\n  b: c;\n}\n```\n\n- _x_"),
        ("Text[^1].\n\n[^1]: One *two*\nthree.", "Text[^1].\n\n[^1]: One _two_ three."),
        ("*Text* [a]\n\n[a]: /b 'T u'", "_Text_ [a]\n\n[a]: /b\n  'T u'"),
        ("<!-- todo: one -->\n\nText", "{/* todo: two */}\n\nText"),
        ("<!--## {{ 'next' }}-->\n\nText", "<!--## {{ 'next' | other }}-->\n\nText"),
        ("{/* one */}\n\n*Text*", "{\n  /* two */\n}\n\n_Text_"),
        ("<A b={['c']} />\n\n*d*", '<A b={["c"]} />\n\n_d_'),
        ("import A from './a'\n\n# Text", 'import A from "./a";\n\n# Text'),
        ("Text\n\n**Part**\n", "Text\n\nPart\n"),
        ("Text\n\n## Part\n", "Text\n\n# Part\n"),
        ("Title\n=====\n\nText", "Title\n-----\n\nText"),
        ("One\n\nTwo\n---\n\nText", "One\n\nTwo\n\nText"),
        ("*One two. Three.*", "*One two.*\n*Three.*"),
        ("Set a_b to 1.", "Set `a_b` to *1*."),
        ("```\nmake\n```\n\n*a*", "```shell\nmake\n```\n\n_a_"),
        ("```python\nf(a, 'b')\n```", '```python\nf(\n    a,\n    "b",\n)\n```'),
        ("```py\nx = a or b\n```", "```py\nx = (\n    a\n    or b\n)\n```"),
        ("```py\nraise E('one ' 'two')\n```", '```py\nraise E("one two")\n```'),
        ("```{code-block} python\nf('a')\n```", '```{code-block} python\nf("a")\n```'),
        ("## One\n\n---\n\nText", "### One\n\nText"),
        ("```\nf('a')\n```\n\n*b*", "```python\nf('a')\n```\n\n_b_"),
        ("```toml\nf = 'a'\n```", "```\nf = 'a'\n```"),
        ("```ts\nfunction a (b) {}\nif(b) c\n```", "```ts\nfunction a(b) {}\nif (b)\n  c;\n```"),
        ("```ts\nimport a from 'b'\nimport c from 'd'\n```", '```ts\nimport c from "d"\nimport a from "b"\n```'),
        ("Write to a@b.dev.", "Write to <a@b.dev>."),
        ("# One\n\nText", "(one)=\n# One\n\nText"),
        ("## One\n\nText", "## One {#first-one}\n\nText"),
        ("- One:\n  - Two\n\nThree", "## One:\n\nTwo\n\nThree"),
        ("```rust,ignore\nlet a\n```", "```rust\nlet a\n```"),
        ("```python\nx = 'a' + \\\n  'b'\n```", '```python\nx = (\n    "a" + "b"\n)\n```'),
        ("```python\nif (a):\n  return(b <= c)\n```", "```python\nif a:\n    return b <= c\n```"),
        ("```js\na()\n;[b].c()\n```", "```js\na();\n[b].c();\n```"),
        ("```js\nf('l\\'a')\n```", '```js\nf("l\'a");\n```'),
        ('<figure>\n  <img src="/a.svg" width="9" alt="" loading="lazy">\n</figure>\n\nb', "![](/a.svg)\n\nb"),
        ('<div class="a">\n\nText\n\n</div>', "Text"),
        ('<a class="b" href="/c">Text</a>', '<a href="/c">Text</a>'),
        ('<h2 id="a">Text</h2>', '<h2 id="b">Text <a href="#b">&para;</a> <a href="#top">&uarr;</a></h2>'),
        ("> [!NOTE]\n> Text\n\n[!NOTE]: #", "> [!NOTE]\n> Text\n"),
        ("```{note}\n:class: tip\n\nText\n```", "```{note}\n:class: hint\n:name: a\n\nText\n```"),
        ("```{automodule} a\n:members:\n```", "```{automodule} a\n:members:\n:no-index:\n```"),
        ("{{#include ../a/lib.rs:part}}\n\nText", "{{#include ../../b/c/lib.rs:part}}\n\nText"),
        ("{{#include header-1.md}}\n\nText", "{{#include header-2.md}}\n\nText"),
        ("<<< a/b.js{1}\n\nText", "<<< ../c/b.js{1}\n\nText"),
        ("```{literalinclude} a/b.py\n```\n\nText", "```{literalinclude} ../c/b.py\n```\n\nText"),
        ("```sh:no-line-numbers\na\n```", "```sh\na\n```"),
        ("```{note}\nText\n```\n\na", ":::{note}\nText\n:::\n\na"),
        ("::::{a}\n:::{b}\nText\n:::\n::::", "`````{a}\n```{b}\nText\n```\n`````"),
        ("||a |b||\n|| - | - ||\n||c |d||", "| a | b |\n| --- | --- |\n| c | d |"),
        ("<style>\n  .a { b: c }\n</style>\n\nText", "Text"),
        ("{{ #rustdoc_include }} {{#rustdoc_include a/x.rs}}", "{{ #rustdoc_include }} {{#rustdoc_include b/x.rs}}"),
        ('--8<-- "docs/a.md"', '--8<-- "includes/a.md"'),
        ("<!-- @include: ./a.md -->\n\nText", "<!-- @include: ../a.md -->\n\nText"),
        ('--8<-- "notice.md"\n\nText', "Text"),
    ],
)
def test_a_text_that_is_only_written_in_another_way_is_unchanged(before: str, after: str) -> None:
    assert is_alike("a.md", before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("One two.", "One three."),
        ("One two", "One two!"),
        ("Includes <Go path='/a/x' />", "Includes <Go path='/b/x' />"),
        ("Text <!--@include: {a}.md-->", "Text <!--@include: {b}.md-->"),
        ("It works around this.", "It workaround this."),
        ("Text work around", "Text workaround"),
        ("##Part", "###Part"),
        ("| a | b |", "| a b |"),
        (FRONT + "Text", FRONT.replace("Roses", "Red roses") + "Text"),
        (FRONT + "Text", FRONT.replace("garden", "park") + "Text"),
        ("<!--\n.. title: Roses\n.. author: ann\n-->\n\nText", "<!--\n.. title: Roses\n.. author: Ann B.\n-->\n\nText"),
        ("---\ntitle: PHP知识点\n---\nText", "---\ntitle: PHP知识\n---\nText"),
        ("---\ntags: [Codegate CTF]\n---\nText", "---\ntags: [CodegateCTF]\n---\nText"),
        (r"Text `\[T\]`", "Text `[T]`"),
        (FRONT + "Text", FRONT.replace("Roses", "Roses.") + "Text"),
        ("Text {{< include a >}}", "Text {{< include b >}}"),
        (".. include:: a.txt\n\nText", ".. include:: b.txt\n\nText"),
        ("one\n\ntwo", "two\n\none"),
        ("[text](a.md)", "[text](b.md)"),
        ("Use `a_b|c`", "Use `ab|c`"),
        ("C#", "C"),
        ("Let us eat, Ann", "Let us eat Ann"),
        ("!!! note\n\n    See [a][b].\n\n[b]: /c/d", "!!! note\n\n    See [a][b].\n\n[b]: /d/c"),
        ('```json\n{"a": 1,}\n```', '```json\n{"a": 1}\n```'),
        ("```c\nint a\nint b;\n```", "```c\nint a;\nint b;\n```"),
        ("See LICENSE.md.", "See [LICENSE.md](LICENSE.md)."),
        ('--8<-- "https://a.dev/b"', '--8<-- "https://a.dev/c"'),
        ("a\n\n~~~\nb\n~~~\n\nc", "a\n\nb\n\nc"),
        ("---\ntoc: true\ndraft: false\n---\nText", "---\ntoc: false\ndraft: true\n---\nText"),
        ("---\nauthors: [a, b]\n---\nText", "---\nauthors: [b, a]\n---\nText"),
        ("---\ntitle: One\n---\n*One* Two", "---\ntitle: Two\n---\n_One_ Two"),
        ("[a]\n\n[a]: /b/c", "[a]\n\n[a]: /c/b"),
        ("```{note} One\ntwo\n```\n\nTwo One", "```{note} Two\ntwo\n```\n\nTwo One"),
        ("```js\nif (a == b)\n```", "```js\nif (a != b)\n```"),
        ("```js\n['a', 'b']\n```", "```js\n['a' 'b']\n```"),
        ("`a = b`", "`a == b`"),
        ("a\n\n```\nb\n```", "a\n\nb\n"),
        ("::: tip\na\n:::\n\nb", "::: tip\na\n\nb"),
        (":::{tip}\na\n:::\n\nb", "```{tip}\na\n\nb"),
        ("|a | b|\n|---|---|", "|a b|\n|---|"),
        ("a || b", "a | b"),
        ("```python {a=1}\nb\n```", "```python {a=2}\nb\n```"),
        ("```{r}\nb\n```", "```{python}\nb\n```"),
        ("```py\nf(a)\n```", "```py\nf a\n```"),
        ("```py\nf('a', 'b')\n```", "```py\nf('ab')\n```"),
        ("import A from './a/b.md'", "import A from './a/c.md'"),
        ("```ts\na()\nb()\n```", "```ts\nb()\na()\n```"),
        ("```py\nreturn f(a)\n```", "```py\nreturn fa\n```"),
        ("```{automodule} a\n:members:\n```", "```{automodule} a\n:no-members:\n```"),
        ("Write to <a@b.dev>.", "Write to [us](mailto:a@b.dev)."),
        ('<img src="/a.svg" alt="one">', '<img src="/a.svg" alt="two">'),
        ('<a href="/c">Text</a>', '<a href="/d">Text</a>'),
        ('<Card width="1">Text</Card>', '<Card width="2">Text</Card>'),
    ],
)
def test_another_text_or_another_command_is_a_change(before: str, after: str) -> None:
    assert not is_alike("a.md", before, after)


@pytest.mark.parametrize(
    ("before", "after", "are_same"),
    [
        ("Set *a* to ``b``.", "Set a to **b**.", True),
        ("- a *b*\n\n* c", "- a b\n\n* c", True),
        ("a * b", "a b", False),
        ("See `a <b>`_.", "See a <b>.", False),
        ("2 ** 3", "2 * 3", False),
    ],
)
def test_emphasis_in_restructuredtext_is_formatting_and_links_are_not(
    before: str, after: str, *, are_same: bool
) -> None:
    assert is_alike("a.rst", before, after) == are_same


TEXT = "\nText of the page.\n"


@pytest.mark.parametrize(
    ("path", "dated", "plain"),
    [
        *(
            ("a.md", f"---\ntitle: x\n{key}: 2024-01-02\n---{TEXT}", f"---\ntitle: x\n---{TEXT}")
            for key in MODIFICATION_KEYS
        ),
        ("a.md", f"---\nlastUpdated: 2024-01-02\n---{TEXT}", TEXT),
        (
            "a.mdx",
            f"---\nlast_update:\n  date: 1/2/2024\n  author: a\ntitle: x\n---{TEXT}",
            f"---\ntitle: x\n---{TEXT}",
        ),
        ("a.md", f"---\nlast_update: {{date: 1/2/2024, author: a}}\ntitle: x\n---{TEXT}", f"---\ntitle: x\n---{TEXT}"),
        ("a.md", f"---\nt: x\nseo:\n  meta:\n    updated: 1\n\n---{TEXT}", f"---\nt: x\n---{TEXT}"),
        ("a.md", f"---\nseo:\n  updated: 1\n  a: b\n---{TEXT}", f"---\nseo:\n  a: b\n---{TEXT}"),
        ("a.md", f"---\nseo: {{a: b, updated: 1}}\n---{TEXT}", f"---\nseo: {{a: b}}\n---{TEXT}"),
        (
            "a.md",
            f"+++\nt = 1\nlastmod = 2024-01-02\n[p]\nu = 1\nupdated = 1\n+++{TEXT}",
            f"+++\nt = 1\n[p]\nu = 1\n+++{TEXT}",
        ),
        ("a.md", f'{{\n "t": "é",\n "p": {{\n  "updated": 1\n }}\n}}\n{TEXT}', f'{{\n  "t": "é"\n}}\n{TEXT}'),
        ("a.md", f'{{\n "updated": 1\n}}\n{TEXT}', TEXT),
        ("a.md", f"Title: x\nModified: 2024-01-02\n{TEXT}", f"Title: x\n{TEXT}"),
        ("a.rst", f"T\n=\n\n:tags: x\n:modified: 2024-01-02\n{TEXT}", f"T\n=\n\n:tags: x\n{TEXT}"),
        ("a.adoc", f"= T\n:revdate: 2024-01-02\n:toc:\n{TEXT}", f"= T\n:toc:\n{TEXT}"),
        ("a.rst", f".. title: x\n.. updated: 2024-01-02\n{TEXT}", f".. title: x\n{TEXT}"),
        ("a.org", f"#+title: x\n#+lastmod: 2024-01-02\n{TEXT}", f"#+title: x\n{TEXT}"),
        ("a.html", f"---\nlastmod: 2024-01-02\ntitle: x\n---\n<p>{TEXT}", f"---\ntitle: x\n---\n<p>{TEXT}"),
    ],
)
def test_the_date_of_a_modification_is_no_content(path: str, dated: str, plain: str) -> None:
    assert is_alike(path, dated, plain)
    assert is_alike(path, plain, dated)
    assert is_alike(path, dated, dated.replace("2024-01-02", "2025-03-04"))


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        *(
            ("a.md", f"---\ntitle: x\n{line}\n---{TEXT}", f"---\ntitle: x\n---{TEXT}")
            for line in (
                *(f"{key}: 2024-01-02" for key in ("date", "pubDate", "publishDate", "expiryDate", "modified_by")),
                "draft: true",
                "updated:\n  - date: 2024-01-02\n    note: A chapter",
                "updated: >\n  A chapter",
                "last_update:\n  date: 2024-01-02\n  note: A chapter",
                "tags:",
            )
        ),
        ("a.md", f"---\nlastmod: 2024-01-02\n---{TEXT}", f"---\nlastmod: 2024-01-02\n---{TEXT}More."),
        ("a.md", f"{TEXT}\n---\nupdated: 1\n---\n", f"{TEXT}\n---\nupdated: 2\n---\n"),
        ("a.md", f"{TEXT}\n```yaml\nupdated: 1\n```\n", f"{TEXT}\n```yaml\nupdated: 2\n```\n"),
        ("a.adoc", f"= T\n{TEXT}\n----\n:revdate: 1\n----\n", f"= T\n{TEXT}\n----\n:revdate: 2\n----\n"),
        ("a.md", f'{{\n "updated": [1]\n}}\n{TEXT}', f'{{\n "updated": [2]\n}}\n{TEXT}'),
        ("a.yaml", "title: x\nupdated: 2024-01-02\n", "title: x\n"),
        ("a.json", '{"updated": "2024-01-02"}', "{}"),
        ("a.astro", "---\nupdated = 1\n---\n<p>Text", "---\nupdated = 2\n---\n<p>Text"),
    ],
)
def test_other_dates_and_dates_of_data_are_content(path: str, before: str, after: str) -> None:
    assert not is_alike(path, before, after)


@pytest.mark.parametrize("path", ["a.markdown", "a.mkd", "a.qmd"])
def test_a_heading_of_markdown_may_be_marked_in_another_way(path: str) -> None:
    assert is_alike(path, "Title\n=====\n\nText", "# Title\n\nText")


def test_the_lines_below_headings_of_restructured_text_may_be_of_other_characters() -> None:
    assert is_alike("a.rst", "Title\n=====\n\nText", "Title\n-----\n\nText")


@pytest.mark.parametrize("path", ["a.json", "a.yml"])
def test_of_data_the_words_count(path: str) -> None:
    assert is_alike(path, '{"a":"b c",}', "{\n  'a': 'b c'\n}\n")
    assert is_alike(path, '{"a":1}', '{"a" : 1}')
    assert is_alike(path, "a: [b, c]", "a:\n  - b\n  - c")
    assert not is_alike(path, '{"a":"b c"}', '{"a":"c b"}')


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<!DOCTYPE html><p class='a'>One", '<!doctype html>\n<p class="a">One</p>'),
        ("<ul><li>One<li>Two</ul><img src=a.png>", '<ul>\n<li>One</li>\n<li>Two</li>\n</ul>\n<img src="a.png" />'),
        ("{% for x in y %}<p>{{ x }}</p>{% endfor %}", "{% for x in y %}\n<p>{{ x }}</p>\n{% endfor %}"),
    ],
)
@pytest.mark.parametrize("path", ["a.html", "a.njk"])
def test_html_that_a_browser_reads_alike_is_alike(before: str, after: str, path: str) -> None:
    assert is_alike(path, before, after)
    assert not is_alike(path, before, after.replace("p>", "pre>").replace("One", "Two One"))


def test_the_lines_around_headings_and_tables_of_restructured_text_may_be_longer() -> None:
    assert is_alike("a.rst", "=== ===\nOne Two\n=== ===", "==== ====\nOne  Two\n==== ====")
    assert is_alike("a.rst", "####\nBabel\n####\n\nText", "#####\nBabel\n#####\n\nText")


@pytest.mark.parametrize(
    ("path", "comment", "text"),
    [
        ("a.rst", ".. todo later\n   and more\n\n", ".. title: One\n\n"),
        ("a.rst", ".. todo later\n\n", ".. note:: Todo later\n\n"),
        ("a.rst", ".. (todo)\n\n", ".. |todo| replace:: Later\n\n"),
        ("a.rst", ".. todo\n\n", ".. [1] Todo\n\n"),
        ("a.adoc", "// todo later\n", "/// todo later\n"),
        ("a.adoc", "//todo\n", "a //todo\n"),
    ],
)
def test_a_comment_of_other_markup_is_no_content(path: str, comment: str, text: str) -> None:
    assert is_alike(path, f"{comment}Text", "Text")
    assert not is_alike(path, f"{text}Text", "Text")


def test_of_code_all_but_white_space_quotes_and_optional_marks_counts() -> None:
    assert is_alike("a.vue", "<p>Adds {x}</p>", "<p>\n  Adds {x}\n</p>")
    assert is_alike("a.jsx", "const f = x => <b>{x}</b>", "const f = (x) => (\n  <b>{x}</b>\n);\n")
    assert is_alike("a.tsx", "<p>By <b>Ann</b></p>", '<p>\n  By{" "}\n  <b>Ann</b>\n</p>')
    assert is_alike("a.vue", "<img src='a'>", '<img src="a" />')
    assert is_alike("a.ts", "function f() { g(); }", "function f() {\n  g();\n}\n")
    assert is_alike("a.ts", "f() // one\nfor (; ;) g()", "f(); // one\nfor (; ;) g();")
    assert is_alike("a.ts", "f({ a: 'b' })", 'f({\n  a: "b",\n});')
    assert not is_alike("a.jsx", "<p>Hello, {name}</p>", "<p>Hello {name}</p>")
    assert not is_alike("a.ts", "f(a, b)", "f(b, a)")
    assert not is_alike("a.astro", "<td>$19</td>", "<td>$29</td>")
    assert not is_alike("a.jsx", "<p>Hello {name}, one</p>", "<p>Hello {name}, two</p>")


@pytest.mark.parametrize(
    ("path", "before", "after"), [("a.yml", "n: -5", "n: 5"), ("a.json", '["C"]', '["C++"]'), ("a.yml", "- ✓", "- ✗")]
)
def test_of_data_signs_count(path: str, before: str, after: str) -> None:
    assert not is_alike(path, before, after)


@pytest.mark.parametrize(
    "text",
    ["x" + " " * 100_000 + "y", "---\na: " + "-" * 100_000 + "\n---\n", "{{#include " * 9_000, "<style>" * 9_000],
    ids=["spaces", "front matter", "includes", "styles"],
)
def test_hostile_texts_take_no_time_out_of_proportion(text: str) -> None:
    assert is_alike("a.md", text, text + "\n")


def test_bytes_of_another_encoding_are_not_taken_for_one_another() -> None:
    assert not are_alike("a.md", "Caf\xe9".encode("latin-1"), "Caf\xe8".encode("latin-1"))
    assert are_alike("a.md", "*Caf\xe9*".encode("latin-1"), "_Caf\xe9_".encode("latin-1"))


def test_html_beyond_the_parser_s_bounds_is_compared_as_it_is_written() -> None:
    assert is_alike("a.html", "<b class=x>" * 400, '<b class="x">' * 400)
    assert not is_alike("a.html", "<nav class=x>" * 5_000, '<nav class="x">' * 5_000)


@pytest.mark.parametrize(
    ("before", "after", "are_same"),
    [
        ("Title\n=====\n\n.. released: 1\n\nText", "Title\n=====\n\nText", True),
        (".. title: A\n\nText", ".. title: B\n\nText", False),
        ("Text\n\n.. figure:: a.png", "Text\n\n.. figure:: b.png", False),
        ("Text\n\n.. c:function:: a", "Text\n\n.. c:function:: b", False),
    ],
)
def test_a_comment_of_restructured_text_may_have_a_colon_and_the_metadata_of_nikola_are_none(
    before: str, after: str, *, are_same: bool
) -> None:
    assert is_alike("a.rst", before, after) == are_same


@pytest.mark.parametrize(("path", "are_same"), [("a.adoc", True), ("a.rst", True), ("a.html", False)])
def test_a_mark_that_makes_another_one_plain_is_formatting(path: str, *, are_same: bool) -> None:
    assert is_alike(path, "Text ${a} b", "Text $\\{a} b") == are_same


IMPORT = 'import {\n  A,\n} from "b";\nimport "./c.css"\n\n'


@pytest.mark.parametrize(
    ("before", "after", "are_same"),
    [
        (IMPORT + "Text", "Text", True),
        (IMPORT + "Text", IMPORT.replace("A", "C, D") + "Text", True),
        ("import A from './a.mdx'\n\nText", "import B from './b.mdx'\n\nText", False),
        ("```js\nimport a from 'b'\n```", "```js\nimport c from 'b'\n```", False),
        ("import the seeds from a box", "import the plants from a box", False),
    ],
)
def test_what_mdx_imports_shows_nothing_but_text_and_data(before: str, after: str, *, are_same: bool) -> None:
    assert is_alike("a.mdx", before, after) == are_same


# Which versions are read for it


def checker(versions: dict[bytes, bytes | None], budget: int = 100) -> SourceChanges:
    def read(wanted: Sequence[Version]) -> Iterator[bytes | None]:
        return (versions[each] for each in wanted if isinstance(each, bytes))

    return SourceChanges(read, budget, lambda versions: None)


def test_a_move_of_the_same_bytes_is_unchanged_without_being_read() -> None:
    assert checker({}).check([PageChange("b.md", b"1", b"1", "a.md")], {"b.md"}) == Verdicts({"b.md"})


def test_only_files_that_are_asked_about_are_read_and_those_that_cannot_be_read_are_named() -> None:
    changes = [PageChange(f"{name}.md", b"1", b"2") for name in "ab"]
    check = checker({b"1": b"text", b"2": None})
    assert check.check(changes, {"a.md"}) == Verdicts(unread=frozenset({"a.md"}))
    assert check.sample(changes) == ()


def formatting(number: int = 5, others: int = 0) -> tuple[dict[bytes, bytes | None], list[PageChange]]:
    """The versions and the changes of a commit that puts the names of plants in brackets, and changes other files."""
    contents: dict[bytes, bytes | None] = {}
    for n in range(number + others):
        contents[b"old%d" % n] = b"Plant%d grows" % n
        contents[b"new%d" % n] = (b"[Plant%d] grows" if n < number else b"Plant%d grows well") % n
    return contents, [PageChange(f"{n}.md", b"old%d" % n, b"new%d" % n) for n in range(number + others)]


@pytest.mark.parametrize(
    ("number", "others", "is_formatting"), [(5, 0, True), (4, 9, False), (5, 11, True), (5, 12, False)]
)
def test_a_commit_that_writes_many_files_in_another_way_is_one_of_formatting(
    number: int, others: int, *, is_formatting: bool
) -> None:
    contents, changes = formatting(number, others)
    found = checker(contents).check(changes, {"0.md", f"{number + others - 1}.md"})
    assert ("0.md" in found.unchanged) == is_formatting
    assert (f"{number + others - 1}.md" in found.unchanged) == (is_formatting and not others)
    assert found.unread == set()


def test_the_same_edit_in_many_files_is_a_correction_by_hand() -> None:
    contents, changes = formatting()
    same = {name: data and data.replace(name[3:], b"") for name, data in contents.items()}
    assert checker(same).check(changes, {"0.md"}) == Verdicts()


def test_whether_a_commit_is_one_of_formatting_is_not_known_without_its_other_files() -> None:
    contents, changes = formatting()
    found = checker({**contents, b"old3": None}).check(changes, {"0.md"})
    assert found == Verdicts(unread=frozenset({"0.md"}))
    assert {change.path for change in checker(contents).sample(changes)} == {f"{n}.md" for n in range(5)}


def test_at_most_a_hundred_files_tell_whether_a_commit_is_one_of_formatting() -> None:
    contents, changes = formatting(300)
    assert len(checker(contents, budget=1000).sample(changes)) == 100
    check = checker(contents, budget=101)
    assert check.check(changes, {"0.md"}).unchanged == {"0.md"}
    assert check.check(changes, {"1.md"}) == Verdicts()  # the budget is spent


def test_beyond_the_budget_files_are_changed() -> None:
    check = checker({b"1": b"text", b"2": b"text\n"}, budget=1)
    assert check.check([PageChange(f"{name}.md", b"1", b"2") for name in "ab"], {"a.md", "b.md"}).unchanged == {"a.md"}
    assert check.check([PageChange("c.md", b"1", b"2")], {"c.md"}).unchanged == set()


@pytest.mark.parametrize(("budget", "found"), [(1, {"a.md"}), (0, set())])
def test_beyond_the_budget_no_merge_is_read(budget: int, found: set[str]) -> None:
    contents = {b"m": b"ours\ntheirs\n", b"1": b"ours\nb\n", b"2": b"a\ntheirs\n"}
    check = SourceChanges(lambda versions: iter([contents[v] for v in versions if isinstance(v, bytes)]), budget, print)
    by_parent = [[PageChange("a.md", parent, b"m")] for parent in (b"1", b"2")]
    assert check.combined(by_parent, {"a.md"}) == found


def test_a_file_that_is_too_long_to_be_compared_is_changed() -> None:
    check = checker({b"1": b"x" * 600_000, b"2": b"x" * 600_000 + b"\n"})
    assert check.check([PageChange("a.md", b"1", b"2")], {"a.md"}) == Verdicts()


def test_another_image_in_a_notebook_is_a_change_but_not_other_white_space_around_the_same() -> None:
    image, other = b"iVBORw0KGgo+/A9" * 100, b"iVBORw0KGgo+/B9" * 100
    cell = b'{"source": ["One."],%b"image/png": "%b"}'
    assert are_alike("a.ipynb", cell % (b" ", image), cell % (b"\n  ", image))
    assert not are_alike("a.ipynb", cell % (b" ", image), cell % (b" ", other))
