"""What the advice on a section says of its alert tool, and which name it shortens."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

SHAPES = "FED211 FED212 FED213"
SECTION = (
    '\n@ext.skeleton("n")\nasync def n(ctx):\n    page = await ctx.store.query("c")\n'
    "    rows = [row.id for row in page.data]\n    return {body}\n"
)
ALERT = (
    '\n\n@ext.tool("skeleton_alert_{of}")\nasync def told(ctx, old=None, new=None):\n'
    '    return {{"response": str((new or {{}}).get("{key}"))}}\n'
)
BODIES = {
    "FED211": '{"response": {"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1, "last": 1}}',
    "FED212": '{"response": {"last": {"open": 1}}}',
    "FED213": '{"response": {"last": rows}}',
}


def _message(lint: Lint, body: str, alert: str = "") -> str:
    found = lint(SHAPES, SECTION.replace("{body}", body) + alert)
    return " | ".join(f"{item.code} {item.message}" for item in found)


@pytest.mark.parametrize("code", sorted(BODIES))
def test_an_alert_tool_that_reads_the_field_is_named(lint: Lint, code: str) -> None:
    """Who follows the advice would silence the alert, or make it tell of changes that are none."""
    message = _message(lint, BODIES[code], ALERT.format(of="n", key="last"))
    assert (code, True) == (
        message[:6],
        message.endswith(" skeleton_alert_n reads 'last' too: change both."),
    )


@pytest.mark.parametrize("code", sorted(BODIES))
@pytest.mark.parametrize(("of", "key"), [("n", "a"), ("n", "lasting"), ("m", "last")])
def test_other_alert_tools_are_not_named(lint: Lint, code: str, of: str, key: str) -> None:
    """An alert that reads another field, or belongs to another section, does not mind."""
    message = _message(lint, BODIES[code], ALERT.format(of=of, key=key))
    assert (code, False) == (message[:6], "skeleton_alert" in message)


def test_an_alert_tool_in_another_file_is_found(lint: Lint) -> None:
    """Sections and their alerts need not stand together."""
    text = (
        "from imperal_sdk import Extension\n\next = Extension('n')\nimport alerts\n\n"
        + SECTION.replace("{body}", BODIES["FED212"])
    )
    alert = "from main import ext\n" + ALERT.format(of="n", key="last")
    (found,) = lint(SHAPES, text, alerts__py=alert)
    assert found.message.endswith(" skeleton_alert_n reads 'last' too: change both.")


@pytest.mark.parametrize(
    ("body", "advice"),
    [
        ('{"response": {"pages": rows}}', 'Send "pages": rows[:5] and the count.'),
        (
            '{"response": {"pages": [row for row in rows]}}',
            "Send the first 5 of 'pages' and the count.",
        ),
        (
            '{"response": {"pages": rows, "more": rows}}',
            'Send "pages": rows[:5] and the count, likewise the others.',
        ),
    ],
)
def test_the_list_that_is_shortened_is_the_one_of_the_code(
    lint: Lint, body: str, advice: str
) -> None:
    """The name of the field may be the name of another variable."""
    assert _message(lint, body).endswith(advice)


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("counts", '"n": ", ".join(f"{k}: {v}" for k, v in counts.items()).'),
        ("{row: 1 for row in rows}", '"n": ", ".join(f"{k}: {v}" for k, v in ….items()).'),
        ('{"open": 1}', 'Lift what matters: "n_open": ….'),
        ('", ".join(f"{k}: {v}" for k, v in counts.items())', ""),
        ("long", 'such as "n": long[:200]; instructions'),
        ('"x" * 700', 'such as "n": …[:200]; instructions'),
        ("long[:200]", ""),
    ],
)
def test_fields_are_shortened_by_what_they_hold(lint: Lint, field: str, said: str) -> None:
    """The field is no variable, and a dict of computed keys has none that could be lifted."""
    head = SECTION.partition("    return")[0]
    body = "    long = 'x' * 700\n    counts = {}\n    for row in rows:\n        counts[row] = 1\n"
    text = f'{head}{body}    return {{"response": {{"total": 1, "n": {field}}}}}\n'
    found = lint("FED212 FED214", text)
    assert [said in item.message for item in found] == [True] * bool(said)
