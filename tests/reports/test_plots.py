"""Plots: what they show is also told in words, and nothing in them can run."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from fedcheck.reports.html.plots import Series, Share, described, histogram, line_plot, share_bar
from fedcheck.reports.record.model import Distribution

from .whole import HOSTILE

CAP = Distribution(
    measure="payload",
    unit="characters",
    marks={"cap": 3000.0},
    counts=((10.0, 90), (2999.0, 4), (3000.0, 5), (3001.0, 6), (31305.0, 1)),
)


def parsed(svg: str) -> ET.Element:
    """Return a plot as elements; it must be well-formed XML."""
    return ET.fromstring(svg)  # noqa: S314  our own text


def bars(svg: str) -> list[str]:
    """Return what each bar is called."""
    return [title.text or "" for title in parsed(svg).iter("title")]


def test_histogram_is_told_in_words() -> None:
    """Range, median, and how many lie below, at and above each mark."""
    told = "10 to 31,305 characters, median 10; cap 3,000: 94 below, 5 at it, 7 above"

    assert told == described(CAP)
    assert told == parsed(histogram(CAP)).get("aria-label")


def test_few_values_get_a_bar_each() -> None:
    """With value and number."""
    assert ["10: 90", "2,999: 4", "3,000: 5", "3,001: 6", "31,305: 1"] == bars(histogram(CAP))


@pytest.mark.parametrize("last", [500, 90_000])
def test_many_values_share_bars_and_none_is_lost(last: int) -> None:
    """On a linear and on a logarithmic axis."""
    counts = tuple((float(n), 1 + n % 3) for n in (*range(300), last))
    svg = histogram(Distribution(measure="m", counts=counts))

    total = sum(int(title.rpartition(": ")[2].replace(",", "")) for title in bars(svg))
    assert sum(count for _, count in counts) == total
    assert len(bars(svg)) < 60
    assert (last == 90_000) == ("logarithmic axis" in svg)


def test_axis_is_not_called_logarithmic_when_it_is_not() -> None:
    """Values close together stay on a plain axis."""
    assert "logarithmic" not in histogram(Distribution(measure="m", counts=((1.0, 1), (9.0, 1))))


def test_mark_outside_the_range_is_told_and_not_drawn() -> None:
    """A mark beside the axis would mislead."""
    spread = Distribution(measure="m", marks={"cap": 50.0}, counts=((1.0, 2), (9.0, 1)))
    svg = parsed(histogram(spread))

    assert "cap 50: 3 below, 0 at it, 0 above" in (svg.get("aria-label") or "")
    assert [] == [line for line in svg.iter("line") if line.get("class") == "mark"]


@pytest.mark.parametrize("counts", [(), ((5.0, 1),), ((0.0, 3),), ((-4.0, 1), (-4.5, 2))])
def test_odd_distributions_do_not_break_it(counts: tuple[tuple[float, int], ...]) -> None:
    """No value, one value, zero, negative ones."""
    svg = histogram(Distribution(measure="m", counts=counts))

    assert len(counts) == (len(bars(svg)) if svg else 0)


def test_share_bar_gives_each_part_its_width() -> None:
    """The widths add up, and the words say the numbers."""
    svg = parsed(share_bar([Share("pass", 3, "good"), Share("fail", 1, "bad")]))

    assert ["75.00%", "25.00%"] == [rect.get("width") for rect in svg.iter("rect")]
    assert "3 pass, 1 fail" == svg.get("aria-label")
    assert "" == share_bar([])


def test_a_bar_may_be_a_part_of_a_longer_one() -> None:
    """Bars of one plot are as long as they are many; the smallest part can still be seen."""
    half, thin = (
        parsed(share_bar([Share("seen", size, "good")], 1000)).find("rect") for size in (500, 1)
    )

    assert half is not None
    assert thin is not None
    assert ("50.00%", "0.60%") == (half.get("width"), thin.get("width"))


def test_line_plot_leaves_a_gap_where_nothing_is_known() -> None:
    """A release without a value has no point."""
    svg = parsed(line_plot([Series("kills", [1.0, None, 3.0], "good")], ["a", "b", "c"]))

    assert ["kills, a: 1", "kills, c: 3"] == [title.text for title in svg.iter("title")]
    assert "kills: 1, none, 3" == svg.get("aria-label")
    assert line_plot([], [])


def test_names_in_plots_are_escaped() -> None:
    """Measures and units come from a record, and a record may be anybody's."""
    spread = Distribution(
        measure=HOSTILE, unit=HOSTILE, marks={HOSTILE: 1.0}, counts=((0.0, 1), (2.0, 1))
    )
    for svg in (histogram(spread), line_plot([Series(HOSTILE, [1.0], "good")], [HOSTILE])):
        tags = {element.tag for element in parsed(svg).iter()}

        assert set() == tags - {"svg", "rect", "title", "line", "text", "polyline", "circle"}
