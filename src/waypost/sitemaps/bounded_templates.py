"""A Jinja environment in which no template takes more steps, or makes a longer text, than the largest site needs.

A sandbox keeps templates from the program's objects, but not from loops in loops. So each pass through a loop, each
call of a macro, each template that another one includes, and each item of what is compared, shown, or given to a
filter, a test, a function or a method counts as a step. What makes a text, a list or a number longer than its parts is
refused where the result would be too long.
"""

import re
from collections.abc import Callable, Mapping, Sized
from functools import wraps
from math import prod
from typing import Any

from jinja2 import nodes
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment, safe_range

MOST_STEPS = 10_000_000
"""A sitemap with 50,000 URLs takes about 100,000 steps, and one with 30 versions of each page two million."""
MOST_CHARACTERS = 209_715_200
"""The most characters of a rendered text: four times the largest sitemap."""
_LONGEST_VALUE, _LONGEST_LIST, _MOST_BITS = 60_000_000, 1_000_000, 20_000
"""The most characters of a text, items of a list and bits of a number that an operator or a filter makes."""
_MOST_ITEMS, _CHARACTERS_OF_STEP = 2_000_000, 256
"""The most items of a value, and of those in it: a list may hold another one twice, and so on; texts count, too."""
_STEPS_OF_CALL = 20
_LONG_FORMAT = re.compile(r"\d{5}|\{[^{}]*\{|\*")
"""A width of more than 9,999 characters, or one that an argument gives."""
_LENGTHENING_FILTERS = frozenset(
    {"do_center", "do_indent", "do_join", "do_replace", "do_tojson", "do_wordwrap", "sync_do_join"}
)
"""The functions of filters whose result may be as long as one argument times another."""
_LENGTHENING_METHODS = frozenset({"center", "expandtabs", "join", "ljust", "replace", "rjust", "translate", "zfill"})
_SEARCHING_METHODS = frozenset(
    {
        *("find", "rfind", "index", "rindex", "count", "split", "rsplit", "partition", "rpartition"),
        *("strip", "lstrip", "rstrip"),
    }
)
_TRIM = "do_trim"
"""The methods and the filter that may compare each character of a text with each of another one."""
_WORD_WRAP, _STRIP_TAGS, _ROUND = "do_wordwrap", "do_striptags", "do_round"
_LISTING_FILTERS = frozenset(
    {
        *("list", "batch", "slice", "sort", "groupby", "unique", "map", "select", "reject", "selectattr"),
        *("rejectattr", "sum", "min", "max", "join", "dictsort", "random"),
    }
)
"""The filters that go through the characters of a text as items."""
_PARTING_FILTERS = frozenset({"do_batch", "do_slice", "sync_do_slice"})
"""The functions of filters that make lists as long as a number says."""
_MOST_DIGITS, _USUAL_WIDTH, _COPIED_IN_STEP, _COMPARED_IN_STEP, _LONGEST_ITERATED = 100, 79, 4_096, 1_024, 10_000
_SUMS = frozenset({"do_sum", "sync_do_sum"})
_WEIGHED = "weighed"
_PLAIN = frozenset({int, float, bool, type(None)})
_FORMATTING_METHODS = frozenset({"format", "format_map"})


class BoundedEnvironment(ImmutableSandboxedEnvironment):
    """Renders templates of a site's owner within the bounds."""

    intercepted_binops = frozenset({"*", "**", "+", "%"})

    def __init__(self, **options: Any) -> None:
        super().__init__(finalize=self.weighed, **options)
        self._steps = 0
        del self.globals["lipsum"]
        self.globals["range"] = self._range
        self.filters = {name: self._counted(each) for name, each in self.filters.items()}
        self.filters[_WEIGHED] = self.weighed
        self.tests = {name: self._counted(each) for name, each in self.tests.items()}

    def bounded_text(self, name: str, values: dict[str, Any]) -> str:
        """Render a template; raises SecurityError beyond a bound, and whatever its filters raise."""
        self._steps, length, parts = 0, 0, []
        for part in self.get_template(name).generate(values):
            length += len(part)
            if length > MOST_CHARACTERS:
                raise SecurityError(f"it renders more than {MOST_CHARACTERS:,} characters")
            parts.append(part)
        return "".join(parts)

    @property
    def one_step(self) -> str:
        """An empty text, which counts as a step when a template shows it."""
        self._count(1)
        return ""

    @property
    def call_steps(self) -> str:
        """The same of a call of a macro, which takes as long as this many passes through a loop."""
        self._count(_STEPS_OF_CALL)
        return ""

    def _count(self, steps: int) -> None:
        self._steps += steps
        if self._steps > MOST_STEPS:
            raise SecurityError(f"it takes more than {MOST_STEPS:,} steps")

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """The method `format` of a text, for the sandbox; none with a width that is too long."""
        text = getattr(value, "__self__", None)
        if isinstance(text, str) and getattr(value, "__name__", "") in _FORMATTING_METHODS:
            self._require_format(text)
        return super().wrap_str_format(value)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Whether a template may use an attribute: no method of a text that makes it longer than its parts."""
        is_lengthening = isinstance(obj, str | bytes) and attr in _LENGTHENING_METHODS
        return not (is_lengthening or isinstance(obj, int | float)) and super().is_safe_attribute(obj, attr, value)

    def call(self, context: Any, function: Any, *arguments: Any, **options: Any) -> Any:
        """Call a macro, a function or a method, after counting what it is given and whose method it is."""
        owner = getattr(function, "__self__", None)
        if owner is not self:
            self._weigh([owner, *arguments, *options.values()])
        if isinstance(owner, str | bytes) and getattr(function, "__name__", "") in _SEARCHING_METHODS:
            self._count_search(owner, *arguments, *options.values())
        return super().call(context, function, *arguments, **options)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """The item of a value that a key names, after counting the key."""
        return super().getitem(obj, self.weighed(argument))

    def weighed(self, value: Any) -> Any:
        """The same value, after counting its items: to compare it or to show it takes that long."""
        kind = type(value)
        if kind is str and len(value) < _CHARACTERS_OF_STEP:
            return value
        if kind not in _PLAIN:
            self._weigh([value])
        return value

    def _weigh(self, waiting: list[Any]) -> None:
        """Count the items of values and of what they hold, and the characters of texts."""
        steps = 0
        while waiting:
            value = waiting.pop()
            if isinstance(value, str):
                steps += len(value) // _CHARACTERS_OF_STEP
            elif isinstance(value, list | tuple | set | frozenset):
                steps += len(value)
                waiting += value
            elif isinstance(value, Context):
                continue  # the variables of a template, which a filter such as `map` is given
            elif isinstance(value, Mapping):
                steps += len(value)
                waiting += [*value.keys(), *value.values()]
            if steps > _MOST_ITEMS:
                raise SecurityError(f"it uses a value of more than {_MOST_ITEMS:,} items")
        self._count(steps)

    def _count_search(self, text: object, *sought: object) -> None:
        """Count the steps of a search that compares each character of a text with each of those that are sought."""
        self._count(_length(text) * max(map(_length, sought), default=0) // _COMPARED_IN_STEP)

    def joined(self, *values: Any) -> str:
        """The texts of values as one text: the operator `~`."""
        self._weigh(list(values))
        texts = list(map(str, values))
        self._require(sum(map(len, texts)))
        return "".join(texts)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Apply an operator unless its result would be too long."""
        if operator == "*" and isinstance(left, int) and isinstance(right, int):
            self._require_bits(left.bit_length() + right.bit_length())
        elif operator == "*":
            repeated, times = (left, right) if isinstance(right, int) else (right, left)
            self._require_value(repeated, _length(repeated) * times)
        elif operator == "+":
            self._require_value(left, _length(left) + _length(right))
        elif operator == "**" and isinstance(left, int) and isinstance(right, int):
            self._require_bits(abs(right) * max(abs(left), 1).bit_length())
        elif operator == "%" and isinstance(left, str):
            self._require_format(left)
            self._weigh([right])
        return super().call_binop(context, operator, left, right)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        """Parse a template, and have it count its steps."""
        tree = super()._parse(source, name, filename)
        for loop in tree.find_all(nodes.For):
            loop.body.insert(0, _counting("one_step", loop.lineno))
        called = (tree.find_all(nodes.Macro), tree.find_all(nodes.CallBlock), tree.find_all(nodes.Block))
        bodies = [each.body for found in called for each in found]
        for body in [tree.body, *bodies]:
            body.insert(0, _counting("call_steps", body[0].lineno if body else 1))
        for node in list(tree.find_all(nodes.Concat)):
            _replace_concat(tree, node)
        for compared in list(tree.find_all(nodes.Compare)):
            compared.expr = _weighing(compared.expr)
            for operand in compared.ops:
                operand.expr = _weighing(operand.expr)
        for pair in list(tree.find_all(nodes.Pair)):
            pair.key = _weighing(pair.key)
        return tree

    def _range(self, *arguments: int) -> range:
        """Numbers, each of which counts as a step."""
        found = safe_range(*arguments)
        self._count(len(found))
        return found

    def _counted(self, function: Any) -> Callable[..., Any]:
        """A filter or a function that counts the items and the characters of its arguments, and of its result."""

        @wraps(function)
        def call(*arguments: Any, **options: Any) -> Any:
            given = [*arguments, *options.values()]
            self._count(1)
            self._weigh(list(given))
            name = getattr(function, "__name__", "")
            if name in _SUMS and any(isinstance(each, Sized) for each in given[2:]):
                raise SecurityError("it adds lists to one another")
            if name in _LENGTHENING_FILTERS:
                sizes = sorted(each if isinstance(each, int) else _length(each) for each in given)
                self._require(prod(max(1, each) for each in sizes[-2:]))
            if name == "do_format":
                self._require_format(str(arguments[0]))
            self._require_short_work(name, [each for each in given if isinstance(each, str | int)])
            return function(*arguments, **options)

        return call

    def _require_value(self, made_of: Any, length: Any) -> None:
        """Refuse a text or a list that would be too long; the items of a list are counted."""
        if isinstance(made_of, str):
            self._require(length)
        elif isinstance(length, int) and length > _LONGEST_LIST:
            raise SecurityError(f"it makes a list of more than {_LONGEST_LIST:,} items")
        elif isinstance(length, int):
            self._count(max(length, 0))

    def _require_short_work(self, name: str, given: list[str | int]) -> None:
        """Count the steps of filters that go through a text again and again, and refuse long lists and numbers."""
        numbers = [each for each in given if isinstance(each, int)]
        text = next((each for each in given if isinstance(each, str)), "")
        if name == _TRIM:
            self._count_search(*(each for each in given if isinstance(each, str)))
        if name == _WORD_WRAP:  # each line that is cut off copies the rest of the word
            width = max(1, next(iter(numbers), _USUAL_WIDTH))
            self._count(len(text) ** 2 // (width * _COPIED_IN_STEP))
        elif name == _STRIP_TAGS:  # each tag that is removed copies the text
            self._count(len(text) * text.count("<") // _COPIED_IN_STEP)
        elif name.removeprefix("sync_").removeprefix("do_") in _LISTING_FILTERS:
            if name in _PARTING_FILTERS and max([0, *numbers]) > _LONGEST_LIST:
                raise SecurityError(f"it makes a list of more than {_LONGEST_LIST:,} items")
            if len(text) > _LONGEST_ITERATED:
                raise SecurityError(f"it takes a text of more than {_LONGEST_ITERATED:,} characters for a list")
        elif name == _ROUND and any(abs(each) > _MOST_DIGITS for each in numbers[-1:]):
            raise SecurityError(f"it rounds a number to more than {_MOST_DIGITS:,} digits")

    def _require_bits(self, bits: int) -> None:
        if bits > _MOST_BITS:
            raise SecurityError(f"it makes a number of more than {_MOST_BITS:,} bits")

    def _require(self, length: Any) -> None:
        if isinstance(length, int | float) and length > _LONGEST_VALUE:
            raise SecurityError(f"it makes a value of more than {_LONGEST_VALUE:,} characters or items")

    def _require_format(self, text: str) -> None:
        if _LONG_FORMAT.search(text):
            raise SecurityError("it formats a text to more than 9,999 characters")


def _length(value: Any) -> int:
    try:
        return len(value) if isinstance(value, Sized) else 0
    except TypeError:
        return 0


def _counting(name: str, line: int) -> nodes.Output:
    """The statement that counts steps, by an attribute of the environment: a call would take ten times as long."""
    found = nodes.Output([nodes.EnvironmentAttribute(name)])
    found.set_lineno(line)
    return found


def _weighing(expression: nodes.Expr) -> nodes.Expr:
    """The filter that counts the items of an expression's value and returns it; a call would take longer."""
    if isinstance(expression, nodes.Const):
        return expression
    found = nodes.Filter(expression, _WEIGHED, [], [], None, None)
    found.set_lineno(expression.lineno)
    return found


def _replace_concat(tree: nodes.Template, concat: nodes.Concat) -> None:
    """Put a call in the place of an operator `~`."""
    call = nodes.Call(nodes.EnvironmentAttribute("joined"), concat.nodes, [], None, None).set_lineno(concat.lineno)
    for node in tree.find_all(nodes.Node):
        for name, value in node.iter_fields():
            if value is concat:
                setattr(node, name, call)
            elif isinstance(value, list) and any(each is concat for each in value):
                setattr(node, name, [call if each is concat else each for each in value])
