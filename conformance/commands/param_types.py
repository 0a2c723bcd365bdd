"""Types of options that several commands have."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    _FloatType, _IntType = click.ParamType[float], click.ParamType[int]
    _DayType = click.ParamType[date]
    _TextType = click.ParamType[str]
else:  # generic only from click 8.2 on
    _FloatType = _IntType = _DayType = _TextType = click.ParamType

MOST_SHARDS = 1000

_TIME_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}
_SHARE = re.compile(r"([0-9]{1,9})/([0-9]{1,9})")
_SIZE_UNITS = {"K": 2**10, "M": 2**20, "G": 2**30}


class Duration(_FloatType):
    """A number with a unit, in seconds: ``90s``, ``10m``, ``1h``."""

    name = "duration"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the seconds; a text that is no duration is a usage error."""
        text = str(value)
        number, unit = (text[:-1], text[-1:]) if text[-1:] in _TIME_UNITS else (text, "s")
        if not (number.isascii() and number.isdecimal()) or int(number) == 0:
            self.fail(f"{text!r} is no duration; give a whole number with s, m or h", param, ctx)
        return int(number) * _TIME_UNITS[unit]


class Day(_DayType):
    """A day: ``2026-11-30``."""

    name = "day"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> date:
        """Return the day; a text that is none is a usage error."""
        text = str(value)
        try:
            return datetime.strptime(text, "%Y-%m-%d").date()  # noqa: DTZ007  a day has no zone
        except ValueError:
            self.fail(f"{text!r} is no day; write it as YYYY-MM-DD", param, ctx)


class Size(_IntType):
    """A number of bytes with a unit: ``512M``, ``2G``."""

    name = "size"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Return the bytes; a text that is no size is a usage error."""
        text = str(value)
        number, unit = (text[:-1], text[-1:]) if text[-1:] in _SIZE_UNITS else (text, "")
        if not (number.isascii() and number.isdecimal()) or int(number) == 0:
            self.fail(f"{text!r} is no size; give a whole number with K, M or G", param, ctx)
        return int(number) * _SIZE_UNITS.get(unit, 1)


class Reduction(_IntType):
    """A number of scenarios, or ``off``, which is none."""

    name = "number or off"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Return the number; a text that is none is a usage error."""
        text = str(value)
        if text == "off":
            return 0
        if not (text.isascii() and text.isdecimal()):
            self.fail(f"{text!r} is no number of scenarios; give one, or off", param, ctx)
        return int(text)


class ShardOf(_TextType):
    """A share of a run: ``2/5``."""

    name = "share"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the share in its one form; a text that is none is a usage error."""
        text = str(value)
        fits = _SHARE.fullmatch(text)
        place, number = (int(fits[1]), int(fits[2])) if fits else (0, 0)
        if text and not 1 <= place <= number <= MOST_SHARDS:
            wanted = f"give two whole numbers, such as 2/5, the second at most {MOST_SHARDS:,}"
            self.fail(f"{text!r} is no share of a run; {wanted}", param, ctx)
        return f"{place}/{number}" if text else ""


class FileName(click.Path):
    """The name of a file; an empty one is that of a variable that is not set."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; refuse an empty name."""
        if value == "":
            self.fail("it is empty; name a file", param, ctx)
        return super().convert(value, param, ctx)
