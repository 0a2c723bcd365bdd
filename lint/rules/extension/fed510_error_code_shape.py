"""FED510: an error code that the platform does not recognise."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...rule import Example, Hit, Rule
from ...sdk_use.calls import constants_of, sdk_calls
from ...view import FileView

_SHAPE = re.compile(r"[A-Z][A-Z0-9_]{2,63}")


def _check(view: FileView) -> Iterator[Hit]:
    for call in sdk_calls(view, "ActionResult", "error", keyword="code"):
        code = call.arguments["code"]
        for value, item in constants_of(view, code):
            if value and not (isinstance(value, str) and _SHAPE.fullmatch(value)):
                yield Hit(
                    node=code,
                    message=f"{value!r} is no error code of the platform's taxonomy\n"
                    "A code matches ^[A-Z][A-Z0-9_]{2,63}$. "
                    f"{view.sdk} passes it on, and the platform's taxonomy has no code of that "
                    "form. "
                    f'Write code="{_suggestion(value)}".',
                    chain=view.chain(item),
                )
                break


def _suggestion(value: object) -> str:
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", str(value))
    text = re.sub(r"[^A-Z0-9]+", "_", words.upper()).strip("_")
    text = text if text[:1].isalpha() else f"E_{text}"
    return text[:64] if len(text) > 2 else f"{text}_ERROR"


RULE = Rule(
    code="FED510",
    name="invalid-error-code",
    summary="The `code` of an error has the wrong shape.",
    severity="warning",
    triggers=("code",),
    since="5.9.7",
    check=_check,
    what="Finds `ActionResult.error(…, code=…)` whose code is known and does not match "
    "`^[A-Z][A-Z0-9_]{2,63}$`.",
    why="Codes are what the platform's taxonomy, its diagnosis and the narrator go by. A code of "
    "another shape is passed on and recognised by none of them.",
    example='ActionResult.error("The note is gone", code="note-not-found")',
    instead='ActionResult.error("The note is gone", code="NOTE_NOT_FOUND")',
    references=("imperal_sdk.ActionResult.error", "imperal_sdk validator: V32"),
    bad=(
        Example(
            '\n@ext.tool("t")\nasync def t(ctx):\n'
            '    return ActionResult.error("x", code="note-gone")\n',
            holds="NOTE_GONE",
        ),
        Example(
            '\nCODE = "E1"\n\n\n@ext.tool("t")\nasync def t(ctx):\n'
            '    return ActionResult.error("x", code=CODE)\n'
        ),
    ),
    good=(
        Example(
            '\n@ext.tool("t")\nasync def t(ctx):\n'
            '    return ActionResult.error("x", code="NOTE_GONE")\n'
        ),
        Example(
            '\n@ext.tool("t")\nasync def t(ctx):\n    return ActionResult.error("x", code="")\n'
        ),
        Example(
            '\n@ext.tool("t")\nasync def t(ctx, code):\n'
            '    return ActionResult.error("x", code=code)\n'
        ),
        Example(
            "\nclass Api:\n    @staticmethod\n    def error(text, code):\n"
            "        return code\n\n\nApi.error('x', code='a b')\n"
        ),
    ),
)
