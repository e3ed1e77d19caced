"""Draws line charts with two logarithmic axes, as SVG for light and dark pages."""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from math import ceil, floor, log10

Points = Sequence[tuple[float, float]]
_WIDTH, _HEIGHT = 720, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 190, 44, 50
_COLOURS = ("#2f7ed8", "#d9622b", "#2a9d62", "#a45bc4", "#8a7a1f")
_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#333}.title{font-weight:600;font-size:15px}"
    ".grid{stroke:#8886;stroke-width:1}.target{stroke:#888;stroke-width:1.5;stroke-dasharray:5 4}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}}"
)
_SMALL = {-4: "0.0001", -3: "0.001", -2: "0.01", -1: "0.1"}
_UNITS = ((9, "G"), (6, "M"), (3, "k"), (0, ""))


def chart(title: str, x: str, y: str, lines: Mapping[str, Points], targets: Mapping[str, float] | None = None) -> str:
    """A chart of named lines, with the labels of its axes; `targets` are values to stay below, by their names."""
    drawn = {name: [point for point in points if point[1] > 0] for name, points in lines.items()}
    positive = {name: points for name, points in drawn.items() if points}
    xs = [point[0] for points in positive.values() for point in points]
    ys = [point[1] for points in positive.values() for point in points] + list((targets or {}).values())
    axes = _Axes((floor(log10(min(xs))), ceil(log10(max(xs)))), (floor(log10(min(ys))), ceil(log10(max(ys)))))
    parts = [*axes.draw(x), *(axes.target(name, value) for name, value in (targets or {}).items())]
    heights = _spread_labels([axes.position(*points[-1])[1] for points in positive.values()])
    for (name, points), colour, height in zip(positive.items(), _COLOURS, heights, strict=False):
        parts.append(axes.line(name, points, colour, height))
    heading = f'<text class="title" x="{_LEFT}" y="24">{escape(title)}, {escape(y)}</text>'
    size = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"'
    header = f"<title>{escape(title)}</title><style>{_STYLE}</style>"
    body = "\n".join((header, heading, *parts))
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>\n{body}\n</svg>\n'


class _Axes:
    """Two axes, each from one power of ten to another."""

    def __init__(self, xs: tuple[int, int], ys: tuple[int, int]) -> None:
        self._xs, self._ys = (xs[0], max(xs[1], xs[0] + 1)), (ys[0], max(ys[1], ys[0] + 1))

    def position(self, x: float, y: float) -> tuple[float, float]:
        """The position of a point in the drawing."""
        across = (log10(x) - self._xs[0]) / (self._xs[1] - self._xs[0])
        up = (log10(y) - self._ys[0]) / (self._ys[1] - self._ys[0])
        return _LEFT + across * (_WIDTH - _LEFT - _RIGHT), _HEIGHT - _BOTTOM - up * (_HEIGHT - _TOP - _BOTTOM)

    def draw(self, x: str) -> list[str]:
        """A line for each power of ten, and the label of the horizontal axis."""
        parts = []
        for power in range(self._xs[0], self._xs[1] + 1):
            place = self.position(10.0**power, 10.0 ** self._ys[0])[0]
            parts.append(_stroke(place, _TOP, place, _HEIGHT - _BOTTOM, "grid"))
            parts.append(_text(place, _HEIGHT - _BOTTOM + 18, _power(power), "middle"))
        for power in range(self._ys[0], self._ys[1] + 1):
            place = self.position(10.0 ** self._xs[0], 10.0**power)[1]
            parts.append(_stroke(_LEFT, place, _WIDTH - _RIGHT, place, "grid"))
            parts.append(_text(_LEFT - 8, place + 4, _power(power), "end"))
        middle = (_LEFT + _WIDTH - _RIGHT) / 2
        return [*parts, _text(middle, _HEIGHT - 10, x, "middle")]

    def target(self, name: str, value: float) -> str:
        """A dashed line at a value."""
        place = self.position(10.0 ** self._xs[0], value)[1]
        return _stroke(_LEFT, place, _WIDTH - _RIGHT, place, "target") + _text(_LEFT + 6, place - 5, name, "start")

    def line(self, name: str, points: Points, colour: str, label_height: float) -> str:
        """A line with its points, and its name to the right of it."""
        positions = [self.position(*point) for point in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in positions)
        dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in positions)
        label = _text(_WIDTH - _RIGHT + 10, label_height + 4, name, "start", colour)
        return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5"/>{dots}{label}'


def _spread_labels(heights: Sequence[float]) -> list[float]:
    """Heights for labels, each at least one line below the label above it."""
    spread = list(heights)
    order = sorted(range(len(spread)), key=lambda n: spread[n])
    for above, below in pairwise(order):
        spread[below] = max(spread[below], spread[above] + 17)
    return spread


def _stroke(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x: float, y: float, text: str, anchor: str, colour: str = "") -> str:
    style = f' style="fill:{colour}"' if colour else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style}>{escape(text)}</text>'


def _power(power: int) -> str:
    if power < 0:
        return _SMALL.get(power, f"1e{power}")
    least, unit = next((least, unit) for least, unit in _UNITS if power >= least)
    return f"{10 ** (power - least):,}{unit}"
