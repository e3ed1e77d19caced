"""What a notebook shows, and that how it was run is no change of it."""

import json

import pytest

from waypost.dates.notebooks import shown
from waypost.dates.source_changes import are_alike
from waypost.dates.source_text import read_blocks

CODE = {"cell_type": "code", "execution_count": 1, "metadata": {}, "source": ["x = 1\n", "x"]}
TEXT = {"cell_type": "markdown", "metadata": {}, "source": "# Water\n\nWater the *beds*."}
IMAGE = {"output_type": "display_data", "data": {"image/png": "aGVsbG8" * 200, "text/plain": ["<Figure>"]}}
STREAM = {"output_type": "stream", "name": "stdout", "text": ["one\n", "two\n"]}


def notebook(*cells: object, **metadata: object) -> bytes:
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4}).encode()


def test_the_text_is_that_of_cells_and_of_outputs_in_their_order() -> None:
    found = shown(notebook(TEXT, CODE | {"outputs": [STREAM, IMAGE]}))
    assert found == b"# Water\n\nWater the *beds*.\n\n```\nx = 1\nx\n```\n\none\ntwo\n\n\n<Figure>"
    assert read_blocks("a.ipynb", notebook(TEXT, CODE)) == ["Water", "Water the beds.", "x = 1 x"]


@pytest.mark.parametrize("directive", ["#| hide", "#|export", "#| exporti", "# | include: false", "#| default_exp a"])
def test_a_cell_that_is_not_shown_has_no_text(directive: str) -> None:
    assert shown(notebook(TEXT, CODE | {"source": f"{directive}\nx = 1", "outputs": [STREAM]})) == (
        b"# Water\n\nWater the *beds*."
    )


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"cells": 1}', b'{"cells": [1]}', b"[" * 100_000, b'"a"'])
def test_what_is_no_notebook_has_none(data: bytes) -> None:
    assert shown(data) is None


@pytest.mark.parametrize(
    ("before", "after", "is_alike"),
    [
        (notebook(TEXT, kernelspec={"name": "a"}), notebook(TEXT, kernelspec={"name": "b"}), True),
        (notebook(CODE), notebook(CODE | {"execution_count": 7, "id": "x"}), True),
        (notebook(TEXT), notebook(TEXT | {"source": ["# Water\n", "\n", "Water the *beds*."]}), True),
        (notebook(TEXT), notebook(TEXT | {"source": "# Water\n\nWater the _beds_."}), True),
        (notebook(TEXT), notebook(TEXT | {"source": "# Water\n\nWater the trees."}), False),
        (notebook(CODE), notebook(CODE | {"source": "x = 2"}), False),
        (notebook(CODE), notebook(CODE | {"outputs": [STREAM]}), False),
        (notebook(CODE | {"outputs": [IMAGE]}), notebook(CODE | {"outputs": [IMAGE | {"metadata": {"a": 1}}]}), True),
        (b"no notebook", b"no notebook at all", False),
    ],
)
def test_only_what_is_shown_changes_a_notebook(before: bytes, after: bytes, *, is_alike: bool) -> None:
    assert are_alike("a.ipynb", after, before) == is_alike
