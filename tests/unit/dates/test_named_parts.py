"""What source files name as parts of their pages, in the commands of each generator."""

from collections.abc import Mapping

import pytest

from waypost.dates.file_parts import Part
from waypost.dates.named_parts import NamedParts


def named(files: Mapping[str, str], path: str = "docs/a.md") -> list[tuple[str, str]]:
    found = NamedParts(list(files), lambda each: files[each].encode()).of(path)
    return [(part.path, part.region) for part in found]


@pytest.mark.parametrize(
    ("path", "text", "file", "region"),
    [
        # AsciiDoc and Antora
        ("docs/a.adoc", "include::b.adoc[leveloffset=+1]", "docs/b.adoc", ""),
        ("docs/a.adoc", "include::../b.rb[tag=one]", "b.rb", "tag:one"),
        ("docs/a.adoc", 'include::b.rb[tags="one;two",indent=0]', "docs/b.rb", "tag:one;two"),
        ("docs/a.adoc", "include::b.rb[lines=5..7;9]", "docs/b.rb", "lines:5..7,9"),
        ("x/modules/m/pages/a.adoc", "include::partial$b.adoc[]", "x/modules/m/partials/b.adoc", ""),
        ("x/modules/m/pages/in/a.adoc", "include::n:example$b.rb[tag=t]", "x/modules/n/examples/b.rb", "tag:t"),
        ("x/modules/m/pages/a.adoc", "include::1.0@c:n:page$b.adoc[]", "x/modules/n/pages/b.adoc", ""),
        # docutils, Sphinx and MyST
        ("docs/a.rst", ".. include:: b.txt", "docs/b.txt", ""),
        ("docs/in/a.rst", ".. include:: /b.txt", "docs/b.txt", ""),
        ("docs/a.rst", ".. literalinclude:: b.py\n   :lines: 1-3, 5", "docs/b.py", "lines:1..3, 5"),
        ("docs/a.rst", ".. literalinclude:: b.py\n   :language: c\n   :pyobject: Pump", "docs/b.py", "code:Pump"),
        (
            "docs/a.rst",
            ".. literalinclude:: b.py\n   :start-after: begin\n   :end-before: end",
            "docs/b.py",
            "marks:start-after=begin\nend-before=end",
        ),
        ("docs/a.rst", ".. csv-table:: Title\n   :file: b.csv\n", "docs/b.csv", ""),
        ("docs/a.md", "```{include} ../README.md\n```", "README.md", ""),
        ("docs/a.md", ":::{literalinclude} b.py\n:lines: 2\n:::", "docs/b.py", "lines:2"),
        # snippets
        ("docs/a.md", '--8<-- "inc/b.md"', "inc/b.md", ""),
        ("docs/a.md", '```\n--8<-- "b.py:part"\n```', "docs/b.py", "tag:part"),
        ("docs/a.md", '-8<- "b.py:5:10"', "docs/b.py", "lines:5..10"),
        ("docs/a.md", '--8<-- "b.py::10"', "docs/b.py", "lines:1..10"),
        # mdBook
        ("src/a.md", "```rust\n{{#include b.rs:anchor}}\n```", "src/b.rs", "tag:anchor"),
        ("src/a.md", "{{#rustdoc_include ../listing/b.rs:2:}}", "listing/b.rs", "lines:2.."),
        ("src/a.md", "{{ #include @code/b.rs:f() }}", "code/b.rs", ""),
        # VitePress
        ("docs/a.md", "<!--@include: ./b.md-->", "docs/b.md", ""),
        ("docs/a.md", "<!-- @include: ./b.md{3,5} -->", "docs/b.md", "lines:3..5"),
        ("docs/a.md", "<!-- @include: ./b.md#part -->", "docs/b.md", "tag:part"),
        ("docs/in/a.md", "<<< @/b.js#part{1,2}", "docs/b.js", "tag:part"),
        # MDX, and pages of components
        ("docs/a.mdx", "import B from './b.mdx'", "docs/b.mdx", ""),
        ("docs/a.mdx", "import b from '@site/data/b.json';", "data/b.json", ""),
        ("docs/a.mdx", 'import B from "!!raw-loader!./b.py?raw"', "docs/b.py", ""),
        ("src/pages/a.astro", "---\nimport { all } from '../b.yaml'\n---", "src/b.yaml", ""),
        ("docs/a.mdx", '<Code lang="ts" file="src/b.ts" />', "src/b.ts", ""),
        # Jekyll, Eleventy, Quarto, Hugo, Astro
        ("docs/a.md", "{%- for each in b | sort -%}", "_data/b.json", ""),
        ("docs/a.md", "{% include b.md title='x' %}", "_includes/b.md", ""),
        ("docs/a.md", "{%- include_relative in/b.md -%}", "docs/in/b.md", ""),
        ("docs/a.md", "{{ site.data.b.c }}", "_data/b/c.yml", ""),
        ("docs/a.qmd", "{{< include _b.qmd >}}", "docs/_b.qmd", ""),
        ("docs/a.qmd", "{{< embed b.ipynb#fig >}}", "docs/b.ipynb", ""),
        ("content/a.md", '{{< readfile file="content/b.md" code="true" >}}', "content/b.md", ""),
        ("content/a/index.md", '{{% table "b.csv" %}}', "content/a/b.csv", ""),
        ("content/a.md", '{{< chart "b" >}}', "data/b.yaml", ""),
        ("src/pages/a.astro", "const e = await getEntry('news', 'b');", "src/content/news/b.md", ""),
    ],
)
def test_each_command_names_its_file(path: str, text: str, file: str, region: str) -> None:
    assert named({path: text, file: "x"}, path) == [(file, region)]


@pytest.mark.parametrize(
    ("path", "text", "file"),
    [
        ("docs/a.adoc", "include::{dir}/b.adoc[]", "docs/b.adoc"),
        ("docs/a.adoc", "\\include::b.adoc[]", "docs/b.adoc"),
        ("docs/a.adoc", "include::https://example.org/b.adoc[]", "example.org/b.adoc"),
        ("docs/a.adoc", "include::../../b.adoc[]", "b.adoc"),
        ("docs/a.md", "{% include {{ page.part }} %}", "_includes/b.md"),
        ("docs/a.md", "```\n<!--@include: ./b.md-->\n```", "docs/b.md"),
        ("docs/a.md", "~~~\nimport B from './b.md'\n~~~", "docs/b.md"),
        ("docs/a.md", '--8<-- ";b.md"', "docs/b.md"),
        ("docs/a.md", "\\{{#include b.md}}", "docs/b.md"),
        ("docs/a.mdx", "import B from './b.jsx'", "docs/b.jsx"),
        ("docs/a.md", "{{< include missing.md >}}", "docs/b.md"),
    ],
)
def test_variables_other_places_listings_and_components_name_nothing(path: str, text: str, file: str) -> None:
    assert named({path: text, file: "x"}, path) == []


PACKAGE = {
    "src/garden/__init__.py": "from ._pumps import Pump\n",
    "src/garden/_pumps.py": "class Pump:\n    '''A pump.'''\n    def start(self): ...\n",
    "src/garden/beds.py": "",
    "src/garden/tools.py": "from ._pumps import Pump\n__all__ = ['Pump']\n",
}


@pytest.mark.parametrize(
    ("text", "parts", "lacks"),
    [
        (".. automodule:: garden.beds", [("src/garden/beds.py", "object:")], False),
        (".. automodule:: garden.beds\n   :members:", [("src/garden/beds.py", "members:")], False),
        (".. autoclass:: garden.Pump", [("src/garden/_pumps.py", "object:Pump")], False),
        (".. automethod:: garden.Pump.start", [("src/garden/_pumps.py", "object:Pump.start")], False),
        (".. currentmodule:: garden\n\n.. autoclass:: Pump", [("src/garden/_pumps.py", "object:Pump")], False),
        ("```{autoclass} garden.Pump\n:members:\n```", [("src/garden/_pumps.py", "members:Pump")], False),
        (
            ".. automodule:: garden.tools\n   :members:",
            [("src/garden/tools.py", "members:"), ("src/garden/_pumps.py", "members:Pump")],
            False,
        ),
        (
            ".. automodule:: garden\n\n   .. autoclass:: Pump",
            [("src/garden/__init__.py", "object:"), ("src/garden/_pumps.py", "object:Pump")],
            False,
        ),
        (
            ".. currentmodule:: garden\n\n.. autoclass:: Pump\n\n   .. automethod:: start\n\n.. autofunction:: start",
            [
                *(("src/garden/_pumps.py", "object:Pump"), ("src/garden/_pumps.py", "object:Pump.start")),
                ("src/garden/__init__.py", "object:start"),
            ],
            False,
        ),
        (".. autoclass:: garden.Pump\n   :undoc-members:", [("src/garden/_pumps.py", "all:Pump")], False),
        ("::: garden.Pump\n", [("src/garden/_pumps.py", "members:Pump")], False),
        ("# ::: garden.Pump\n", [("src/garden/_pumps.py", "members:Pump")], False),
        (".. autofunction:: numpy.zeros", [], True),
        (".. doxygenclass:: Pump", [], True),
        (".. note:: Water", [], False),
    ],
)
def test_documented_objects_name_the_module_that_defines_them(
    text: str, parts: list[tuple[str, str]], *, lacks: bool
) -> None:
    path = "docs/a.md" if text.startswith(("`", "::: ")) else "docs/a.rst"
    files = {**PACKAGE, path: text}
    assert named(files, path) == parts
    assert NamedParts(list(files), lambda each: files[each].encode()).lacks_code(path) == lacks


def test_the_front_matter_of_a_text_may_be_in_a_file_of_its_own() -> None:
    parts = NamedParts(["a/b.md", "a/b.meta", "c.meta"], lambda path: path.encode())
    assert parts.metadata("a/b.md") == (Part("a/b.meta"),)
    assert parts.metadata("a/c.md") == ()


def test_the_data_in_the_folder_of_an_index_are_beside_it() -> None:
    paths = ["a/b.csv", "a/b/c.csv", "a/d.md", "a/index.md", "a/other.md", "ab/e.csv", "index.md", "top.csv"]
    parts = NamedParts(paths, lambda path: b"")
    assert parts.beside("a/index.md") == (Part("a/b.csv"),)
    assert parts.beside("a/other.md") == parts.beside("index.md") == ()


def test_a_file_that_names_itself_or_one_file_twice_names_it_once() -> None:
    files = {"docs/a.md": "{{< include a.md >}}{{< include b.md >}}{{< include b.md >}}", "docs/b.md": ""}
    assert named(files) == [("docs/b.md", "")]


@pytest.mark.parametrize(
    ("config", "text", "kind"),
    [
        ("autodoc_default_options = {'members': True}", ".. autoclass:: garden.Pump", "members"),
        ("autodoc_default_options: dict = {\n  'undoc-members': True,\n}", ".. autoclass:: garden.Pump", "all"),
        ("autodoc_default_flags = ['members']", ".. autoclass:: garden.Pump\n   :undoc-members:", "all"),
        ("extensions = ['members']", ".. autoclass:: garden.Pump", "object"),
    ],
)
def test_a_directive_without_options_has_those_of_the_configuration_above(config: str, text: str, kind: str) -> None:
    files = {**PACKAGE, "docs/conf.py": config, "docs/api/a.rst": text}
    assert named(files, "docs/api/a.rst") == [("src/garden/_pumps.py", f"{kind}:Pump")]
