import pytest

from waypost.dates.page_evidence import PageText, gather_evidence, read_page_text


def page(body: str) -> PageText:
    return read_page_text(f'<html lang="de-AT"><title>x</title><body><main>{body}</main></body></html>'.encode())


def words(name: str) -> str:
    return " ".join(f"{name}{n}" for n in range(40))


def test_all_that_is_known_of_a_page_is_in_its_evidence() -> None:
    files = {f"docs/{name}": words(name[0]).encode() for name in ("a.md", "b.md", "c.yml")}
    link = '<a href="https://github.com/owner/site/edit/main/docs/b.md">Edit this page</a>'
    gathered = gather_evidence(
        {"a.html": page(f"<p>{words('a')}</p>{link}")},
        list(files),
        files.__getitem__,
        lambda key: frozenset({f"dated-{key}"}),
    )
    (found,) = gathered.pages
    assert (found.key, found.language) == ("a.html", "de")
    assert [match.path for match in found.matches] == ["docs/a.md"]
    assert (found.linked, found.dated) == (("docs/b.md",), frozenset({"dated-a.html"}))
    assert gathered.files == ["docs/a.md", "docs/b.md"]


def test_text_that_all_pages_have_is_no_evidence() -> None:
    texts = {f"{n}.html": page(f"<p>{words('menu')}</p><p>{words(f'own{n}')}</p>") for n in range(20)}
    found = gather_evidence(texts, ["menu.md"], lambda _: words("menu").encode(), lambda _: frozenset()).pages
    assert [evidence.matches for evidence in found] == [()] * 20


def test_a_page_that_consists_of_the_names_of_others_is_a_list() -> None:
    def titled(title: str, body: str) -> PageText:
        return read_page_text(f"<html><title>{title} | Site</title><body><main>{body}</main></body></html>".encode())

    texts = {f"{name}.html": titled(f"All about {name}", f"<h1>{name * 5}</h1><p>{words(name)}</p>") for name in "abcd"}
    texts["list.html"] = titled("List", "<h1>Themes</h1><h2>All about a</h2><p>One</p><h2>ddddd</h2><p>Two</p>")
    texts["e.html"] = titled("E", f"<p>All about a</p>{''.join(f'<p>{words(str(n))}</p>' for n in range(20))}")
    found = gather_evidence(texts, [], lambda _: b"", lambda _: frozenset()).pages
    assert [each.key for each in found if each.is_list] == ["list.html"]


def evidence_of(source: str, path: str, page_text: str, others: int = 3) -> list[str]:
    """The files that match the first of some pages with texts of their own, and those that a path alone may name."""
    texts = {"list.html": read_page_text(page_text.encode())}
    texts |= {
        f"p{n}.html": read_page_text(f"<title>Post number {n}</title><main><p>{words(f'own{n}')}</main>".encode())
        for n in range(others)
    }
    found = gather_evidence(texts, [path], lambda _: source.encode(), lambda _: frozenset())
    return [*(match.path for match in found.pages[0].matches), *found.files]


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
    text = f"<title>Blog</title><main><h1>{INTRO}</h1><li>Post number 1</li><li>Post number 2</li></main>"
    source = f"<h1>{INTRO}</h1>{{% for post in posts %}}<li>{{{{ post.title }}}}{{% endfor %}}"
    assert evidence_of(source, "blog/index.njk", text) == ["blog/index.njk"]


@pytest.mark.parametrize(("directive", "is_frame"), [(".. automodule:: garden", True), (".. note:: Water", False)])
def test_a_text_into_which_sphinx_puts_that_of_code_does_not_date_the_page(directive: str, is_frame: bool) -> None:
    text = f"<title>API</title><main><p>{INTRO}</p><p>{words('docstring')}</p><p>{words('more')}</p></main>"
    found = evidence_of(f"API\n===\n\n{INTRO}\n\n{directive}\n", "docs/api.rst", text)
    assert found == ([] if is_frame else ["docs/api.rst", "docs/api.rst"])
