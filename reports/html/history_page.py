"""A history as an HTML page with plots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..record.history import History, Release
from .bars import Bars, by_release
from .page import page
from .plots import Series, line_plot


class Trend(NamedTuple):
    """A plot over the releases: its title, what its lines are, its picture."""

    title: str
    lines: tuple[tuple[str, str], ...]
    svg: str


def history_page(told: History) -> str:
    """Return a history as a self-contained page, the same for the same history."""
    return page(
        "history.html.j2",
        title="History",
        told=told,
        verdicts=_verdicts(told),
        trends=_trends(told),
    )


def _verdicts(told: History) -> tuple[Bars, ...]:
    """Return the verdicts release by release, of each kernel by itself."""
    plots = {kernel: by_release(told.releases_of(kernel)) for kernel in told.kernels}
    if len(plots) == 1:
        return tuple(plots.values())
    return tuple(plot._replace(title=f"{name}: {plot.title}") for name, plot in plots.items())


def _trends(told: History) -> tuple[Trend, ...]:
    """Return the plots of each kernel; its name stands in their titles where there are several."""
    several = len(told.kernels) > 1
    return tuple(
        trend._replace(title=f"{kernel}: {trend.title}") if several else trend
        for kernel in told.kernels
        for trend in _trends_of(told.releases_of(kernel))
    )


def _trends_of(releases: Sequence[Release]) -> tuple[Trend, ...]:
    labels = [release.label for release in releases]
    passed = Series("passed", [float(r.passed) for r in releases], "good")
    broken = Series("broken", [float(r.broken) for r in releases], "bad")
    required = Series("required", [float(r.required) for r in releases], "bar")
    coverage = Series("exercised", [r.coverage for r in releases], "bar")
    kills = Series("clauses with a broken kernel to catch", [r.kill_rate for r in releases], "good")
    seconds = Series("seconds", [r.seconds for r in releases], "bar")
    return (
        _trend("Verdicts", (required, passed, broken), labels, ""),
        _trend("Coverage and kill rate", (coverage, kills), labels, " %"),
        _trend("Time", (seconds,), labels, " s"),
    )


def _trend(title: str, series: tuple[Series, ...], labels: list[str], unit: str) -> Trend:
    named = tuple((line.name, line.colour) for line in series)
    return Trend(title, named, line_plot(series, labels, unit=unit))
