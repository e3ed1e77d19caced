"""The text of sources in many markup languages, compared with what a page made of them shows."""

import pytest

from waypost.dates.source_text import is_markup, is_page_source, may_have_text, read_blocks

MANY = 60_000


def read(path: str, text: str) -> list[str]:
    return read_blocks(path, text.encode())


@pytest.mark.parametrize(
    ("path", "text", "blocks"),
    [
        # Markdown
        (
            "a.md",
            "# A title\n\nOne paragraph\nof two lines.\n\nAnother.\n",
            ["A title", "One paragraph of two lines.", "Another."],
        ),
        ("a.md", "Some *emphasis*, **more** and `code`.", ["Some emphasis, more and code."]),
        ("a.md", "A [link](https://example.org) and [one](<x> 'y').", ["A link and one."]),
        ("a.md", "A [link][ref], an ![image](x.png).\n\n[ref]: https://example.org 'Title'\n", ["A link, an ."]),
        ("a.md", "- one\n- two\n* three\n1. four\n2) five\n", ["one", "two", "three", "four", "five"]),
        ("a.md", "| a b | c |\n|---|---|\n| d | e f |\n", ["a b", "c", "---", "---", "d", "e f"]),
        ("a.md", "> quoted text\n> goes on\n", ["quoted text", "goes on"]),
        ("a.md", "Title\n=====\n\ntext", ["Title", "text"]),
        ("a.md", "Fish &amp; chips&nbsp;&copy;", ["Fish & chips ©"]),
        ("a.md", "before <!-- hidden\ncomment --> after", ["before after"]),
        ("a.md", "before <kbd>Ctrl</kbd> <br> after", ["before Ctrl", "after"]),
        ("a.md", "## Heading {#anchor .class}\n", ["Heading"]),
        ("a.md", "one\r\n\r\ntwo\r\n", ["one", "two"]),
        ("a.markdown", "{{< figure src=x >}}\n{{ site.title }} text {% include a.html %}\n", ["text"]),
        # MDX
        (
            "a.mdx",
            "import Tabs from '@theme/Tabs';\nexport const x = 1\n\n# Title\n\n"
            "<Tabs>\n\nInside {/* hidden */}.\n\n</Tabs>\n",
            ["Title", "Inside ."],
        ),
        # reStructuredText
        (
            "a.rst",
            "Title\n=====\n\nSee :doc:`the guide <guide>` and :ref:`here`.\n",
            ["Title", "See the guide and here."],
        ),
        ("a.rst", "A `link <https://example.org>`__ and ``code``.", ["A link and code."]),
        ("a.rst", ".. _target:\n\n.. note:: \n   :class: x\n\n   Noted text.\n", ["Noted text."]),
        (".rst", ".. toctree::\n   :maxdepth: 2\n\nText.\n", ["Text."]),
        # AsciiDoc
        ("a.adoc", "= Title\n\n[source,python]\nSee xref:a.adoc[the page].\n", ["Title", "See the page."]),
        ("a.adoc", ":toc: left\n\n== Section\n* one\n** two\n. three\n", ["Section", "one", "two", "three"]),
        ("a.adoc", "https://example.org[A link] and link:x.pdf[file].", ["A link and file."]),
        # HTML
        (
            "a.html",
            "<html><head><title>T</title><script>let a = 1</script><style>a{}</style></head>"
            "<body><p class=x>One <b>bold</b> word.</p><p>Two</p></body></html>",
            ["T", "One bold word.", "Two"],
        ),
        # Templates
        ("a.liquid", "{% comment %}hidden{% endcomment %}{% for a in b %}<p>{{ a }} text</p>{% endfor %}", ["text"]),
        ("a.md", "{% comment %}hidden{% endcomment %}shown", ["shown"]),
        ("a.adoc", "[NOTE]\nNoted text", ["Noted text"]),
        ("a.njk", "{# hidden #}<h1>Title</h1>{{ x | y }}", ["Title"]),
        ("a.ejs", "<% if (a) { %><p>Shown text</p><% } %>", ["Shown text"]),
        # Front matter
        ("a.md", "---\ntitle: The title\nlayout: post\n---\nText\n", ["The title", "Text"]),
        ("a.md", '---\ntitle: "Quoted: title"\n---\n', ["Quoted: title"]),
        ("a.md", "<!--\n.. title: The title\n.. tags: a\n-->\n\nText\n", ["The title", "Text"]),
        ("a.md", "---\nlayout: post\n---\nText\n", ["Text"]),
        ("a.md", "---\ntitle:\n---\nText\n", ["Text"]),
        ("a.md", '+++\ntitle = "The title"\ndate = 2026-01-01\n+++\n\nText\n', ["The title", "Text"]),
        ("a.md", "Title: The title\nDate: 2026-01-01\n\nText\n", ["The title", "Text"]),
        ("a.rst", ":title: The title\n:date: 2026-01-01\n\nText\n", ["The title", "Text"]),
        ("a.md", "Note: this is text\n\nand more\n", ["Note: this is text", "and more"]),
        ("a.md", "\ufeff---\ntitle: Marked\n---\nText\n", ["Marked", "Text"]),
        # Code: only strings of several words and what is between tags
        ("a.jsx", "const title = 'Two words'; const id = 'single'; x('a/b')", ["Two words"]),
        ("a.jsx", "return <p className='x'>Shown text</p>", ["Shown text"]),
        ("a.ts", "const t = `A template of words`\n// a comment with words\n", ["A template of words"]),
        ("a.vue", "<script>let x = 'hidden words'</script><template><h1>Title</h1></template>", ["Title"]),
        ("a.astro", "---\nconst a = 'Some words'\n---\n<h1>Title</h1>", ["Title", "Some words"]),
        ("a.svelte", "<h1>Title</h1>\n<p>{value}</p>", ["Title"]),
        ("a.jsx", "<b>1 2</b><i>a 1</i><u>_</u>", ["a 1"]),
        (
            "a.py",
            'def f():\n    """One line.\n\n    More *text* here.\n    """\n    return 1  # no text\n',
            ["One line.", "More text here."],
        ),
        ("a.py", "x = 'It is text'\ny = 'single'\n", ["It is text"]),
        # Data
        ("a.json", '{"title": "Two words", "id": "5", "text": "and three words"}', ["Two words", "and three words"]),
        ("a.yaml", "title: Two words\nid: single\nitems:\n  - name: A longer text\n", ["Two words", "A longer text"]),
        ("a.yaml", "label: Note: two words\n", ["Note: two words"]),
        ("a.toml", 'title = "Two words"\nid = "single"\n', ["Two words"]),
        ("a.csv", "id,text\n1,Two words\n", ["Two words"]),
    ],
)
def test_a_source_has_the_blocks_that_its_page_shows(path: str, text: str, blocks: list[str]) -> None:
    assert read(path, text) == blocks


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_is_read_in_the_encoding_of_its_byte_order_mark(encoding: str) -> None:
    assert read_blocks("a.md", "# Größe\n\nText".encode(encoding)) == ["Größe", "Text"]


@pytest.mark.parametrize("data", [b"", b"\0", b"\x89PNG\0\0words and more words", b"text\0text"])
def test_an_empty_or_a_binary_file_has_no_text(data: bytes) -> None:
    assert read_blocks("a.md", data) == []


@pytest.mark.parametrize("path", ["a.md", "a.rst", "a.adoc", "a.html", "a.jsx", "a.py", "a.json", "a.ejs", "a.txt"])
@pytest.mark.parametrize(
    "text", ["---", "+++\n", "```", '"""', "{{", "{%", "<!--", "<", "[", "](", "title:", "\udcff", "\\", "'", ">{<"]
)
def test_unfinished_markup_is_no_error(path: str, text: str) -> None:
    assert len(read_blocks(path, text.encode("utf-8", "surrogateescape"))) <= 1


def test_bytes_that_are_no_utf_8_lose_only_their_own_words() -> None:
    assert read_blocks("a.md", b"caf\xe9\n\nfine text") == ["caf\ufffd", "fine text"]


@pytest.mark.parametrize("path", ["a.md", "b/A.MD", "a.rst", "a.adoc", "a.html.njk", "a.json", "page.tsx", "a.py"])
def test_files_of_which_generators_make_pages_may_have_text(path: str) -> None:
    assert may_have_text(path)


@pytest.mark.parametrize("path", ["a.png", "a.css", "md", "a", "a.md.bak", "Makefile", "a.lock", ""])
def test_other_files_have_no_text(path: str) -> None:
    assert not may_have_text(path)


@pytest.mark.parametrize(
    ("path", "has_markup", "makes_page"),
    [
        ("a.md", True, True),
        ("a.HTML", True, True),
        ("a.astro", False, True),
        ("a.jsx", False, True),
        ("a.py", False, False),
        ("a.php", False, False),
        ("a.yaml", False, False),
        ("A.JSON", False, False),
    ],
)
def test_markup_code_and_data_differ(path: str, has_markup: bool, makes_page: bool) -> None:
    assert (is_markup(path), is_page_source(path)) == (has_markup, makes_page)


@pytest.mark.parametrize("mark", ["[", "{", "<", "'", "`", "-", "=", "|", "{%", "{#", "<!--", "<script ", '"', "> "])
def test_a_mark_that_is_repeated_very_often_hides_no_text_before_it(mark: str) -> None:
    assert read("a.md", f"start\n\n{mark * 20_000}\n")[0] == "start"


def test_long_code_after_an_arrow_hides_no_text() -> None:
    code = "x = value or other\n" * 2_000
    assert read("a.py", f"def f() -> int:\n{code}text = 'Two words'\n") == ["Two words"]


@pytest.mark.parametrize(
    ("path", "text", "blocks"),
    [
        ("a.md", "start\n\n" + "https://x[" * MANY, ["start"]),
        ("a.md", "start\n\n" + "<p " * MANY, ["start"]),
        ("a.md", "start\n\nx ]:\n" + "[\n" * MANY, ["start"]),
        ("a.md", "start\n\n:a:`" + " " * MANY + "b", ["start"]),
        ("a.md", "start\n\n`b" + " " * MANY + "<c", ["start"]),
        ("a.md", f"---\ntitle: a{' ' * MANY}b\n---\n\n", [f"a{' ' * MANY}b"]),
        ("a.md", f"start\n\n&#{'1' * 5_000};", ["start", "\ufffd"]),
        ("a.yml", "- a: start text\n" + " " * MANY + "\n" + " " * MANY + "x:", ["start text"]),
        ("a.js", "<p>start</p>" + '\\"' * MANY, ["start"]),
        ("a.js", "<p>start</p>" + '\\\\\\"' * MANY, ["start"]),
    ],
)
def test_a_hostile_text_is_read_in_time_proportional_to_its_length(path: str, text: str, blocks: list[str]) -> None:
    assert read(path, text)[: len(blocks)] == blocks


@pytest.mark.parametrize(
    ("path", "text", "blocks"),
    [
        ("a.md", "<p>shown <p class=x", ["shown <p class=x"]),
        (
            "a.adoc",
            "https://example.org[A link] and https://example.org[no end",
            ["A link and https://example.org[no end"],
        ),
        ("a.md", "[a\nb]: https://example.org\n\nText", ["Text"]),
        ("a.md", "---\ntitle: 'Quoted'  \n---\n", ["Quoted"]),
        ("a.md", '---\ntitle: ""\n---\nText', ["Text"]),
        ("a.rst", "See :doc:`the guide   <guide>`.", ["See the guide."]),
        ("a.yml", '  - "a name" :  two words', ["two words"]),
        ("a.yml", f"{'a' * 61}: two words", [f"{'a' * 61}: two words"]),
        ("a.js", 'x = "an escaped \\" quote"', ['an escaped \\" quote']),
    ],
)
def test_markup_with_and_without_an_end_is_told_apart(path: str, text: str, blocks: list[str]) -> None:
    assert read(path, text) == blocks


def test_only_the_beginning_of_a_file_is_read() -> None:
    assert read("a.md", "a b " * 200_000)[0].count("a b") == 131_072


def test_images_in_a_file_are_no_text() -> None:
    image = "iVBORw0KGgo+/A9" * 100
    cell = '{"source": ["One two three."], "image/png": "%s"}'
    assert read_blocks("a.ipynb", (cell % image).encode()) == read_blocks("a.ipynb", (cell % " ").encode())


def test_long_words_are_text() -> None:
    word = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft"
    assert read_blocks("a.md", word.encode()) == [word]
    assert read_blocks("a.md", b"/" + b"Path/" * 60) == ["/" + "Path/" * 60]
