"""The parts of files that a page may show: lines between marks, lines by numbers, and docstrings."""

import pytest

from waypost.dates.file_parts import ALL_DOCSTRINGS, Part, read_names, read_part

MODULE = '''"""About the garden."""

from .tools import Rake as TheRake
from other.place import spade

class Pump:
    """A pump of water."""

    def start(self, speed: int = 1) -> None:
        """Start the pump."""
        if speed:
            pass

    def _stop(self) -> None:
        """Stop it."""

    def plain(self) -> None:
        pass

async def water(bed: str) -> None:
    """Water a bed."""
'''
TAGGED = """
# tag::one[]
first
# end::one[]
// ANCHOR: two
second
// ANCHOR_END: two
# --8<-- [start:three]
third
# --8<-- [end:three]
//#region four
fourth
//#endregion
last
"""


@pytest.mark.parametrize(
    ("region", "text"),
    [
        ("", TAGGED),
        ("tag:one", "first"),
        ("tag:two", "second"),
        ("tag:three", "third"),
        ("tag:four", "fourth"),
        ("tag:one;two", "first\nsecond"),
        ("tag:on", ""),
        ("lines:3", "first"),
        ("lines:3..3,6", "first\nsecond"),
        ("lines:14..", "last\n"),
        ("lines:14..-1", "last\n"),
        ("lines:..2", "\n# tag::one[]"),
        ("lines:x", "\n".join(TAGGED.split("\n")[:1])),
        ("marks:start-after=endregion", "last\n"),
        ("marks:start-at=fourth\nend-before=last", "fourth\n//#endregion"),
        ("marks:end-at=tag::one", "\n# tag::one[]"),
        ("marks:start-after=nowhere", TAGGED),
    ],
)
def test_lines_are_told_by_marks_numbers_and_texts(region: str, text: str) -> None:
    assert read_part(Part("a.rb", region), TAGGED) == text


@pytest.mark.parametrize("mark", ["// ANCHOR: b", "// ANCHOR_END: b", "# tag::b[]", "# end::b[]", "# --8<-- [start:b]"])
def test_the_marks_of_other_tags_are_not_shown(mark: str) -> None:
    assert read_part(Part("a.rs", "tag:a"), f"// ANCHOR: a\none\n  {mark}\ntwo\n// ANCHOR_END: a\n") == "one\ntwo"


def test_a_class_is_documented_by_the_docstring_of_its_initialization_too() -> None:
    code = 'class A:\n    def __init__(self):\n        """Begin."""\n    def __len__(self):\n        """Count."""\n'
    assert read_part(Part("a.py", "members:A"), code) == "__init__\n\nBegin."


@pytest.mark.parametrize(
    ("region", "text"),
    [
        ("object:", "About the garden."),
        ("object:Pump", "A pump of water."),
        ("object:Pump.start", "Start the pump."),
        ("object:water", "Water a bed."),
        ("object:Pump.plain", ""),
        ("object:Nothing.at.all", ""),
        ("members:Pump", "A pump of water.\n\nstart\n\nStart the pump."),
        ("all:Pump", "A pump of water.\n\nstart\n\nStart the pump.\n\nplain"),
        ("code:water", 'async def water(bed: str) -> None:\n    """Water a bed."""'),
        ("code:", ""),
    ],
)
def test_docstrings_and_code_are_told_by_the_names_of_objects(region: str, text: str) -> None:
    assert read_part(Part("garden.py", region), MODULE) == text


def test_the_members_of_a_module_are_those_of_its_classes_too_but_not_private_ones() -> None:
    found = read_part(Part("garden.py", "members:"), MODULE)
    assert found.split("\n\n") == [
        *("About the garden.", "Pump", "A pump of water.", "start", "Start the pump.", "water", "Water a bed.")
    ]


@pytest.mark.parametrize("text", ["def (:", "x = " + "(" * 10_000, "\0", "a" + ".a" * 50_000, "-" * 100_000 + "1"])
def test_what_is_no_code_has_no_docstring(text: str) -> None:
    assert [read_part(Part("a.py", region), text) for region in ("object:", "members:x", "code:x")] == [""] * 3


def test_the_members_of_a_module_that_lists_them_are_these() -> None:
    code = f"__all__ = ['water', '_hidden']\n{MODULE}\ndef _hidden():\n    'Hidden.'\n"
    found = read_part(Part("a.py", "members:"), code).split("\n\n")
    assert found == ["water", "Water a bed.", "_hidden", "Hidden."]


def test_texts_after_attributes_are_docstrings() -> None:
    code = 'size = 1\n"""How large."""\nother = 2\nclass A:\n    b: int\n    """B."""\n    def f(self): "F."\n'
    assert read_part(Part("a.py", "members:"), code) == "A\n\nf\n\nF.\n\nB.\n\nHow large."


def test_what_annotations_say_of_parameters_belongs_to_the_docstring() -> None:
    code = (
        'def f(a: Annotated[str, Doc("""The name.""")], *, b: Annotated[int, Doc("How many."), 3] = 1):\n    "Do it."\n'
    )
    assert read_part(Part("a.py", "object:f"), code) == "Do it.\n\nThe name.\n\nHow many."


def test_the_members_of_a_module_are_also_those_that_it_exports_from_others() -> None:
    code = b"from .tools import Rake, Spade\n__all__ = ['Rake', 'water', *x]\n__all__ = ('Spade',)\n"
    names = read_names(code, "garden", "garden/__init__.py")
    assert names.imported == {"Rake": "garden.tools.Rake", "Spade": "garden.tools.Spade"}
    assert names.listed == ["Rake", "water", "Spade"]
    nothing = read_names(b"(", "garden", "garden.py")
    assert (nothing.imported, nothing.listed, nothing.elsewhere("a")) == ({}, (), [])


@pytest.mark.parametrize(
    ("name", "path", "full"),
    [
        ("TheRake", "garden/__init__.py", "garden.tools.Rake"),
        ("TheRake", "garden.py", "tools.Rake"),
        ("spade", "garden.py", "other.place.spade"),
        ("Pump", "garden.py", None),
    ],
)
def test_a_name_that_a_module_imports_is_defined_elsewhere(name: str, path: str, full: str | None) -> None:
    assert read_names(MODULE.encode(), "garden", path).imported.get(name) == full


@pytest.mark.parametrize(
    ("code", "name", "elsewhere"),
    [
        ("from .tools import *", "Rake", ["garden.tools.Rake"]),
        ("from .tools import *\nfrom other import *", "Rake", ["garden.tools.Rake", "other.Rake"]),
        ("from .tools import *\nclass Rake: pass", "Rake", []),
        ("from .tools import *\nfrom .one import Rake", "Rake", ["garden.one.Rake"]),
        (
            "if TYPE_CHECKING:\n    from .tools import Rake\nelse:\n    from .other import Spade",
            "Spade",
            ["garden.other.Spade"],
        ),
    ],
)
def test_a_name_may_be_of_any_module_from_which_all_is_imported(code: str, name: str, elsewhere: list[str]) -> None:
    found = read_names(code.encode(), "garden", "garden/__init__.pyi")
    assert list(found.elsewhere(name)) == elsewhere


@pytest.mark.parametrize("region", ["object:", "members:"])
def test_what_is_said_of_a_value_is_its_docstring(region: str) -> None:
    code = 'Size: TypeAlias = int\n"""How large."""\nclass A:\n    b = 1\n    """B."""\n'
    assert read_part(Part("a.pyi", f"{region}Size"), code) == "How large."
    assert read_part(Part("a.pyi", f"{region}A.b"), code) == "B."
    assert read_part(Part("a.pyi", f"{region}A.c"), code) == ""


def test_all_docstrings_of_a_module_are_those_of_private_objects_too() -> None:
    code = '"""One."""\ndef _two():\n    """Two."""\n    x = 1\nclass A:\n    """Three."""\n'
    assert read_part(Part("a.py", ALL_DOCSTRINGS), code).split("\n\n") == ["One.", "Two.", "Three."]
    assert read_part(Part("a.py", ALL_DOCSTRINGS), "def :") == ""
