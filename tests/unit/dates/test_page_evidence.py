import pytest

from waypost.dates import paths
from waypost.dates.page_evidence import PageText, gather_evidence, read_page_text


def page(body: str) -> PageText:
    return read_page_text(f'<html lang="de-AT"><title>x</title><body><main>{body}</main></body></html>'.encode())


def words(name: str) -> str:
    return " ".join(f"{name}{n}" for n in range(40))


def test_all_that_is_known_of_a_page_is_in_its_evidence() -> None:
    files = {f"docs/{name}": words(name[0]).encode() for name in ("a.md", "b.md", "c.yml")}
    link = '<a href="https://github.com/owner/site/edit/main/docs/b.md">Edit this page</a>'
    (found,), named, _ = gather_evidence(
        {"a.html": page(f"<p>{words('a')}</p>{link}")},
        list(files),
        files.__getitem__,
        lambda key: frozenset({f"dated-{key}"}),
    )
    assert (found.key, found.language) == ("a.html", "de")
    assert [match.path for match in found.matches] == ["docs/a.md"]
    assert (found.linked, found.dated) == (("docs/b.md",), frozenset({"dated-a.html"}))
    assert named == ["docs/a.md", "docs/b.md"]


def test_text_that_all_pages_have_is_no_evidence() -> None:
    texts = {f"{n}.html": page(f"<p>{words('menu')}</p><p>{words(f'own{n}')}</p>") for n in range(20)}
    found = gather_evidence(texts, ["menu.md"], lambda _: words("menu").encode(), lambda _: frozenset())[0]
    assert [evidence.matches for evidence in found] == [()] * 20


def test_a_page_that_consists_of_the_names_of_others_is_a_list() -> None:
    def titled(title: str, body: str) -> PageText:
        return read_page_text(f"<html><title>{title} | Site</title><body><main>{body}</main></body></html>".encode())

    texts = {f"{name}.html": titled(f"All about {name}", f"<h1>{name * 5}</h1><p>{words(name)}</p>") for name in "abcd"}
    texts["list.html"] = titled("List", "<h1>Themes</h1><h2>All about a</h2><p>One</p><h2>ddddd</h2><p>Two</p>")
    own = "".join(f"<p>{words(str(n))}</p>" for n in range(20))
    texts["e.html"] = titled("E", f"{own}<p>All about a</p><p>All about b</p>")
    found = gather_evidence(texts, [], lambda _: b"", lambda _: frozenset())[0]
    assert [each.key for each in found if each.is_list] == ["list.html"]


def evidence_of(source: str, path: str, page_text: str, others: int = 3) -> list[str]:
    """The files that match the first of some pages with texts of their own, and those that a path alone may name."""
    texts = {"list.html": read_page_text(page_text.encode())}
    texts |= {
        f"p{n}.html": read_page_text(f"<title>Post number {n}</title><main><p>{words(f'own{n}')}</main>".encode())
        for n in range(others)
    }
    pages, files, _ = gather_evidence(texts, [path], lambda _: source.encode(), lambda _: frozenset())
    return [*(match.path for match in pages[0].matches), *files]


POSTS = "".join(f"<li>Post number {n}</li><li>{words(f'about{n}')}</li>" for n in range(3))
INTRO = words("intro")


@pytest.mark.parametrize(
    ("path", "source", "is_frame"),
    [
        ("blog/index.njk", f"<h1>{INTRO}</h1>{{% for post in posts %}}<li>{{{{ post.title }}}}{{% endfor %}}", True),
        ("blog/index.astro", f"<h1>{INTRO}</h1>{{posts.map((post) => <li>{{post.title}}</li>)}}", True),
        ("blog/index.njk", f"<h1>{INTRO}</h1>", False),
        ("blog/index.md", f"# {INTRO}\n\n{{% for post in posts %}}", False),
    ],
)
def test_a_template_that_repeats_a_part_for_other_pages_dates_no_list(path: str, source: str, is_frame: bool) -> None:
    text = f"<title>Blog</title><main><h1>{INTRO}</h1><ul>{POSTS}</ul></main>"
    assert evidence_of(source, path, text) == ([] if is_frame else [path, path])


def test_a_template_with_most_of_a_page_dates_it() -> None:
    more = INTRO[: len(INTRO) // 2].replace("intro", "more")
    text = f"<title>Blog</title><main><h1>{INTRO}</h1>{more}<li>Post number 1</li><li>Post number 2</li></main>"
    source = f"<h1>{INTRO}</h1>{{% for post in posts %}}<li>{{{{ post.title }}}}{{% endfor %}}"
    no_list = f"<title>Blog</title><main><h1>{INTRO}</h1><p>{words('more')}</p></main>"
    assert evidence_of(source, "blog/index.njk", text) == evidence_of(source, "blog/index.njk", no_list)
    assert evidence_of(source, "blog/index.njk", no_list) == ["blog/index.njk"]


def read(text: str) -> PageText:
    return read_page_text(text.encode())


def test_the_lines_are_the_title_and_the_visible_text() -> None:
    found = read(
        "<html><head><title>The title</title><style>a{}</style><script>let a</script></head>"
        "<body><h1>Heading</h1><p>Some <b>bold</b> text.</p><!-- hidden --><template>kept</template></body></html>"
    )
    assert found.lines[0] == "The title"
    assert list(found.lines[1:]) == ["Heading", "Some bold text."]


@pytest.mark.parametrize(
    ("head", "language"), [('<html lang="de">', "de"), ('<html lang=" PT-br ">', "pt-br"), ("", "")]
)
def test_the_language_is_that_of_the_root_element(head: str, language: str) -> None:
    assert read(f"{head}<p>text</p>").language == language


@pytest.mark.parametrize(
    ("name", "version"),
    [("v1.9", (1, 9)), ("3.x", (3,)), ("current", paths.UNRELEASED_VERSION), ("stable", ()), ("", ())],
)
def test_the_version_is_the_one_that_docusaurus_says(name: str, version: tuple[int, ...]) -> None:
    assert read(f'<meta data-rh="true" name="docusaurus_version" content="{name}"><p>text').version == version
    assert read(f'<meta name="docsearch:docusaurus_tag" content="docs-default-{name}"><p>text').version == version
    assert read(f'<meta name="version" content="{name}"><p>text').version == ()


@pytest.mark.parametrize(
    "href",
    [
        "https://example.org/o/r/edit/main/docs/a.md",
        "https://example.org/o/r/blob/main/docs/a.md",
        "https://example.org/o/r/src/branch/main/a.md",
        "../_sources/a.rst.txt",
    ],
)
def test_links_to_sources_are_kept_as_they_are_written(href: str) -> None:
    assert read(f'<a href="/">home</a><a href="{href}">Edit</a><a href="{href}">again</a>').source_links == (href,)


@pytest.mark.parametrize("link", ['<a href="/about/">', "<a href>", '<a name="/edit/">', '<link href="/x/edit/a">'])
def test_other_links_are_no_links_to_sources(link: str) -> None:
    assert read(f"{link}text</a>").source_links == ()


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ('<meta property="article:modified_time" content="2020-02-03T04:05:06+02:00">', ("2020-02-03T02:05:06Z",)),
        ('<meta name="Last-Modified" content="2020-02-03T02:05:06Z">', ("2020-02-03T02:05:06Z",)),
        ('<time datetime="2020-02-03T02:05:06.000Z">3 February</time>', ("2020-02-03T02:05:06Z",)),
        (
            '<script type="application/ld+json">{"@type":"Article","dateModified":"2020-02-03T02:05:06Z"}</script>',
            ("2020-02-03T02:05:06Z",),
        ),
        ('<time datetime="2020-02-03">a</time><time datetime="2020-02-03">b</time>', ("2020-02-03",)),
        ('<time datetime="PT5M">5 minutes</time><time datetime>now</time>', ()),
    ],
)
def test_the_dates_are_those_that_a_page_gives_itself(text: str, dates: tuple[str, ...]) -> None:
    assert read(f"<html><head><title>t</title></head><body>{text}</body></html>").dates == dates


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_page_is_read_in_the_encoding_of_its_byte_order_mark(encoding: str) -> None:
    assert read_page_text("<title>Größe</title><p>naïve".encode(encoding)).lines == ("Größe", "naïve")


@pytest.mark.parametrize("data", [b"", b"<", b"<html", b"<!-- "])
def test_what_is_hardly_a_page_has_no_text_and_is_no_error(data: bytes) -> None:
    found = read_page_text(data)
    assert (found.language, found.source_links, found.dates) == ("", (), ())


def test_of_a_very_large_page_the_beginning_is_read() -> None:
    found = read("<title>first</title>" + "<p>filler</p>" * 60_000 + "<p>last</p>")
    assert found.lines[0] == "first"
    assert "last" not in found.lines


def test_a_page_that_exceeds_a_bound_has_the_text_before_it() -> None:
    assert read_page_text(b"<title>Title</title>before" + b"<div>" * 30_000 + b"after").lines == ("Title", "before")
