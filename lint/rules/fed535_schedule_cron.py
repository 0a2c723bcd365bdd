"""FED535: a schedule whose times nobody can read."""

from __future__ import annotations

from collections.abc import Iterator

from ..queries.sdk_calls import constants_of, sdk_calls
from ..rule import Example, Hit, Rule
from ..view import FileView

_FIELDS = (
    ("minute", 0, 59), ("hour", 0, 23), ("day of the month", 1, 31), ("month", 1, 12),
    ("day of the week", 0, 7),
)  # fmt: skip
"""Name of a field, its least and its greatest number; many take both 0 and 7 for Sunday."""


def _check(view: FileView) -> Iterator[Hit]:
    for call in sdk_calls(view, "Extension", "schedule"):
        given = call.arguments.get("cron")
        for value, _ in constants_of(view, given) if given is not None else ():
            problem = _problem(value)
            if given is not None and problem:
                yield Hit(
                    node=given,
                    message=f"cron={value!r:.60} {problem}: the platform runs standard cron of "
                    f"five fields, by UTC, so this schedule of {view.sdk} may never run. "
                    'Write minute, hour, day, month and weekday: cron="0 6 * * *".',
                )
                break


def _problem(value: object) -> str:
    """Return what is wrong with an expression; empty if nothing is."""
    if not isinstance(value, str):
        return ""
    fields = value.split()
    if len(fields) != len(_FIELDS):
        return f"has {len(fields)} field{'' if len(fields) == 1 else 's'} and not five"
    for text, (name, least, most) in zip(fields, _FIELDS, strict=True):
        if not all(_is_part(part, least, most) for part in text.split(",")):
            return f"has {text} as the {name}, which goes from {least} to {most}"
    return ""


def _is_part(text: str, least: int, most: int) -> bool:
    """Tell whether a part of a field may be one: ``*``, ``5``, ``1-5``, ``*/10``, ``mon-fri``."""
    places, slash, step = text.partition("/")
    if slash and not (step.isdigit() and int(step)):
        return False
    if places in {"*", "?"}:
        return True
    ends = places.split("-")
    return len(ends) < 3 and all(_is_end(end, least, most) for end in ends)


def _is_end(text: str, least: int, most: int) -> bool:
    if text.isdigit():
        return least <= int(text) <= most
    return any(sign.isalpha() or sign == "#" for sign in text)  # mon, 5L, 5#2: some read them


RULE = Rule(
    code="FED535",
    name="schedule-cron",
    summary="The times of a schedule are cron of five fields.",
    severity="warning",
    triggers=("schedule",),
    check=_check,
    since="1.0.0",
    what="""
Finds a `cron=` of `@ext.schedule` that has not five fields (`@daily`, six fields with seconds), or
a number outside of its field: a minute over 59, a month 0, a step 0. Names such as `mon` and `jan`
are left alone.
""",
    why="""
The documentation of `@ext.schedule` promises "standard 5-field UTC cron" with a resolution of one
minute. No code of the SDK looks at the text, so nothing fails: the function just never runs.
""",
    example='@ext.schedule("daily", cron="@daily")\nasync def daily(ctx): ...',
    instead='@ext.schedule("daily", cron="0 6 * * *")\nasync def daily(ctx): ...',
    references=("SDK sources: extension.py schedule; cli/main.py, imperal schedules",),
    bad=(
        Example(
            """
@ext.schedule("daily", cron="@daily")
async def daily(ctx): ...
""",
            holds="has 1 field and not five",
        ),
        Example(
            """
EVERY = "60 * * * *"


@ext.schedule("hourly", EVERY)
async def hourly(ctx): ...
""",
            holds="has 60 as the minute, which goes from 0 to 59",
        ),
        Example(
            """
@ext.schedule("often", cron="*/0 * * * *")
async def often(ctx): ...
""",
        ),
        Example(
            """
@ext.schedule("often", cron="0 */5 * * * *")
async def often(ctx): ...
""",
            holds="has 6 fields and not five",
        ),
    ),
    good=(
        Example(
            """
@ext.schedule("a", cron="*/5 * * * *")
async def a(ctx): ...


@ext.schedule("b", cron="0,30 6-18/2 1 jan-mar mon-fri")
async def b(ctx): ...


@ext.schedule("c", cron=f"{minute} 6 * * 7")
async def c(ctx): ...


@queue.schedule("d", cron="@daily")
async def d(ctx): ...
"""
        ),
    ),
)
