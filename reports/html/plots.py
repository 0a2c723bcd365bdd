"""Plots as inline SVG: no script, no style attribute, each with its meaning as text.

Colours come from the page's style sheet by class. What a plot shows is also told in words by
``described``, for those who cannot see it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

from ..console.escape import printable
from ..record.model import Distribution

WIDTH, HEIGHT = 480, 150
_LEFT, _RIGHT, _TOP, _BOTTOM = 8, 8, 30, 26
_BARS = 48
"""Bars of a histogram whose values are too many to get one each."""

_SKEWED = 20
"""From this ratio of largest to median value on, the axis is logarithmic."""


class Share(NamedTuple):
    """One part of a whole: its name, its size, the class of its colour."""

    name: str
    size: float
    colour: str


class Series(NamedTuple):
    """One line of a line plot; ``None`` is a gap."""

    name: str
    values: Sequence[float | None]
    colour: str


def share_bar(shares: Sequence[Share], whole: float = 0) -> str:
    """Return one horizontal bar that shows how a whole is made up; empty if there is nothing.

    Args:
        shares: the parts.
        whole: what the full width stands for; by default the sum of the parts.
    """
    whole = whole or sum(share.size for share in shares)
    if not whole:
        return ""
    parts: list[str] = []
    x = 0.0
    for share in shares:
        width = 100 * share.size / whole
        if share.size:
            parts.append(
                f'<rect class="{share.colour}" x="{x:.2f}%" y="0" width="{max(width, 0.6):.2f}%" '
                f'height="14"><title>{_text(share.name)}: {number_text(share.size)}</title></rect>'
            )
        x += width
    told = ", ".join(f"{number_text(share.size)} {share.name}" for share in shares if share.size)
    return (
        f'<svg class="plot share" width="100%" height="14" role="img" '
        f'aria-label="{_text(told)}">{"".join(parts)}</svg>'
    )


def histogram(spread: Distribution) -> str:
    """Return how the values of a distribution are spread, with the documents' marks."""
    if not spread.counts:
        return ""
    bins = _bins(spread)
    tallest = max(count for _, _, count in bins)
    scale = _scale(spread)
    bars = "".join(_bar(first, last, count, tallest, scale) for first, last, count in bins)
    marks = "".join(
        _mark(name, value, place, scale)
        for place, (name, value) in enumerate(sorted(spread.marks.items(), key=_by_value))
        if _lowest(spread) <= value <= _highest(spread)
    )
    kind = "logarithmic axis" if _logarithmic(spread) else ""
    ends = _axis(number_text(_lowest(spread)), number_text(_highest(spread)), kind)
    return _svg(HEIGHT, described(spread), bars + marks + ends, "histogram")


def described(spread: Distribution) -> str:
    """Return a distribution in words: range, median, and how it lies about each mark."""
    if not spread.counts:
        return "no value was seen"
    unit = f" {spread.unit}" if spread.unit else ""
    low, high = number_text(spread.counts[0][0]), number_text(spread.counts[-1][0])
    told = [f"{low} to {high}{unit}, median {number_text(_median(spread))}"]
    for name, value in sorted(spread.marks.items(), key=_by_value):
        below = sum(count for seen, count in spread.counts if seen < value)
        at = sum(count for seen, count in spread.counts if seen == value)
        above = sum(count for seen, count in spread.counts if seen > value)
        told.append(f"{name} {number_text(value)}: {below:,} below, {at:,} at it, {above:,} above")
    return printable("; ".join(told))


def line_plot(series: Sequence[Series], labels: Sequence[str], *, unit: str = "") -> str:
    """Return lines over releases: one value for each label, the axis from 0."""
    values = [value for line in series for value in line.values if value is not None]
    top = max(values, default=0) or 1.0
    body = "".join(_polyline(line, labels, top) for line in series)
    ends = _axis(labels[0] if labels else "", labels[-1] if len(labels) > 1 else "")
    peak = f'<text class="axis" x="{_LEFT}" y="14">{_text(number_text(top))}{_text(unit)}</text>'
    told = "; ".join(
        f"{line.name}: " + ", ".join("none" if v is None else number_text(v) for v in line.values)
        for line in series
    )
    return _svg(HEIGHT, told, body + ends + peak, "lines")


def _polyline(line: Series, labels: Sequence[str], top: float) -> str:
    step = (WIDTH - _LEFT - _RIGHT - 8) / max(len(labels) - 1, 1)
    points = [
        (_LEFT + 4 + index * step, _base() - value / top * _room(), label, value)
        for index, (label, value) in enumerate(zip(labels, line.values, strict=True))
        if value is not None
    ]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _, _ in points)
    dots = "".join(
        f'<circle class="{line.colour}" cx="{x:.1f}" cy="{y:.1f}" r="3">'
        f"<title>{_text(line.name)}, {_text(label)}: {number_text(value)}</title></circle>"
        for x, y, label, value in points
    )
    return f'<polyline class="{line.colour}" points="{path}"/>{dots}'


def _bins(spread: Distribution) -> list[tuple[float, float, int]]:
    """Return (first value, last value, count) of each bar that is not empty."""
    if len(spread.counts) <= _BARS:
        return [(value, value, count) for value, count in spread.counts]
    place = _scale(spread)
    bins: dict[int, tuple[float, float, int]] = {}
    for value, count in spread.counts:
        index = min(int(place(value) * _BARS), _BARS - 1)
        first, _, so_far = bins.get(index, (value, value, 0))
        bins[index] = (first, value, so_far + count)
    return [bins[index] for index in sorted(bins)]


def _scale(spread: Distribution) -> Callable[[float], float]:
    """Return the function from a value to its place on the axis, 0 to 1."""
    low, high = _lowest(spread), _highest(spread)
    if _logarithmic(spread):
        bottom, width = math.log1p(low), (math.log1p(high) - math.log1p(low)) or 1.0
        return lambda value: (math.log1p(value) - bottom) / width
    return lambda value: (value - low) / ((high - low) or 1.0)


def _logarithmic(spread: Distribution) -> bool:
    return _lowest(spread) >= 0 and _highest(spread) > _SKEWED * max(_median(spread), 1)


def _bar(
    first: float, last: float, count: int, tallest: int, scale: Callable[[float], float]
) -> str:
    room = WIDTH - _LEFT - _RIGHT - 8
    left, right = (_LEFT + 4 + room * scale(value) for value in (first, last))
    width = max(right - left, 4.0)
    height = max(_room() * math.sqrt(count / tallest), 1.5)
    named = number_text(first) if first == last else f"{number_text(first)} to {number_text(last)}"
    return (
        f'<rect class="bar" x="{(left + right - width) / 2:.1f}" y="{_base() - height:.1f}" '
        f'width="{width:.1f}" height="{height:.1f}"><title>{named}: {count:,}</title></rect>'
    )


def _mark(name: str, value: float, place: int, scale: Callable[[float], float]) -> str:
    x = _LEFT + 4 + (WIDTH - _LEFT - _RIGHT - 8) * scale(value)
    side = "end" if x > WIDTH / 2 else "start"
    top = 12 + 14 * (place % 2)
    shift = -3 if side == "end" else 3
    return (
        f'<line class="mark" x1="{x:.1f}" x2="{x:.1f}" y1="4" y2="{_base()}"/>'
        f'<text class="mark" x="{x + shift:.1f}" y="{top}" text-anchor="{side}">'
        f"{_text(name)} {number_text(value)}</text>"
    )


def _axis(low: str, high: str, kind: str = "") -> str:
    y = HEIGHT - 8
    middle = f'<text class="axis" x="{WIDTH / 2:g}" y="{y}" text-anchor="middle">{kind}</text>'
    return (
        f'<line class="axis" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{_base()}" y2="{_base()}"/>'
        f'<text class="axis" x="{_LEFT}" y="{y}">{_text(low)}</text>'
        f'<text class="axis" x="{WIDTH - _RIGHT}" y="{y}" text-anchor="end">{_text(high)}</text>'
        f"{middle if kind else ''}"
    )


def _svg(height: int, told: str, body: str, kind: str) -> str:
    return (
        f'<svg class="plot {kind}" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{_text(told)}">{body}</svg>'
    )


def _median(spread: Distribution) -> float:
    half = sum(count for _, count in spread.counts) / 2
    seen = 0
    for value, count in spread.counts:
        seen += count
        if seen >= half:
            return value
    return 0.0


def _lowest(spread: Distribution) -> float:
    return spread.counts[0][0]


def _highest(spread: Distribution) -> float:
    return spread.counts[-1][0]


def _base() -> int:
    return HEIGHT - _BOTTOM


def _room() -> int:
    return HEIGHT - _TOP - _BOTTOM


def _by_value(mark: tuple[str, float]) -> float:
    return mark[1]


def number_text(value: float) -> str:
    """Return a number for people: ``3,000``, ``0.5``."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4g}"


def _text(text: str) -> str:
    return escape(printable(text), quote=True)
