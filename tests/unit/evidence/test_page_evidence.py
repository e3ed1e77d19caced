from waypost.evidence.page_evidence import gather_evidence
from waypost.evidence.page_text import PageText, read_page_text


def page(body: str) -> PageText:
    return read_page_text(f'<html lang="de-AT"><title>x</title><body><main>{body}</main></body></html>'.encode())


def words(name: str) -> str:
    return " ".join(f"{name}{n}" for n in range(40))


def test_all_that_is_known_of_a_page_is_in_its_evidence() -> None:
    files = {"docs/a.md": words("a").encode(), "docs/b.md": words("b").encode()}
    link = '<a href="https://github.com/owner/site/edit/main/docs/b.md">Edit this page</a>'
    (found,) = gather_evidence(
        {"a.html": page(f"<p>{words('a')}</p>{link}")},
        list(files),
        files.__getitem__,
        lambda key: frozenset({f"dated-{key}"}),
        lambda key: [f"preset-{key}"],
    )
    assert (found.key, found.language) == ("a.html", "de")
    assert [match.path for match in found.matches] == ["docs/a.md"]
    assert (found.linked, found.dated, found.preset) == (
        ("docs/b.md",),
        frozenset({"dated-a.html"}),
        ("preset-a.html",),
    )


def test_text_that_all_pages_have_is_no_evidence() -> None:
    texts = {f"{n}.html": page(f"<p>{words('menu')}</p><p>{words(f'own{n}')}</p>") for n in range(20)}
    found = gather_evidence(texts, ["menu.md"], lambda _: words("menu").encode(), lambda _: frozenset(), lambda _: ())
    assert [evidence.matches for evidence in found] == [()] * 20


def test_a_page_that_consists_of_the_names_of_others_is_a_list() -> None:
    def titled(title: str, body: str) -> PageText:
        return read_page_text(f"<html><title>{title} | Site</title><body><main>{body}</main></body></html>".encode())

    texts = {f"{name}.html": titled(f"All about {name}", f"<h1>{name * 5}</h1><p>{words(name)}</p>") for name in "abcd"}
    texts["list.html"] = titled("List", "<h1>Themes</h1><h2>All about a</h2><p>One</p><h2>ddddd</h2><p>Two</p>")
    texts["e.html"] = titled("E", f"<p>All about a</p>{''.join(f'<p>{words(str(n))}</p>' for n in range(20))}")
    found = gather_evidence(texts, [], lambda _: b"", lambda _: frozenset(), lambda _: ())
    assert [each.key for each in found if each.is_list] == ["list.html"]
