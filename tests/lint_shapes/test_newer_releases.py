"""What a newer release than the target brings is asked for, and nothing that does not help."""

from __future__ import annotations

from pathlib import Path

import pytest

from fedcheck.lint.engine.engine import Target, check
from fedcheck.lint.rule import PREAMBLE

TOOL = '\n@ext.tool("t")\nasync def t(ctx):\n    return '


def messages(folder: Path, text: str, version: str) -> list[str]:
    """Return what is said of an extension for one release."""
    (folder / "main.py").write_text(PREAMBLE + text, encoding="utf-8")
    found = check([folder], Target(sdk=version), codes=frozenset({"FED105", "FED108"}))
    return [item.message for item in found.findings]


@pytest.mark.parametrize(
    ("text", "version", "advice"),
    [
        (
            '\n@ext.tray("x", zone="status", badge_style="dot")\nasync def x(ctx): ...\n',
            "5.9.13",
            "badge_style and zone are all there from 5.13.0 on: ask for that version",
        ),
        (
            '\n@ext.tray("x", zone="status", order=1)\nasync def x(ctx): ...\n',
            "5.9.13",
            "order and zone came with 5.10.0: ask for that version",
        ),
        (f'{TOOL}ActionResult.error("e", code="C")\n', "5.9.6", "code came with 5.9.7: ask"),
        (
            f'{TOOL}ActionResult.error("e", code="C", hint="h")\n',
            "5.9.6",
            "Write ActionResult.error(error, retryable=False).",
        ),
        (
            f'{TOOL}ActionResult.error("e", hint="h")\n',
            "5.9.7",
            "Write ActionResult.error(error, retryable=False, code=…).",
        ),
    ],
)
def test_the_release_that_has_all_of_them(
    tmp_path: Path, text: str, version: str, advice: str
) -> None:
    """One that has only some of the parameters would refuse the call as well."""
    (message,) = messages(tmp_path, text, version)
    assert advice in message


def test_answers_of_the_billing_client(tmp_path: Path) -> None:
    """Each of its classes is known, with what each release has of it."""
    names = {
        "get_subscription()": "billing_mode",
        "check_limits()": "exceeded",
        'change_plan("p")': "pending",
        "topup(1, 2)": "succeeded",
        "get_auto_topup()": "enabled",
        "create_setup_intent()": "client_secret",
    }
    known = "".join(f"    (await ctx.billing.{call}).{name}\n" for call, name in names.items())
    lacking = "".join(f"    (await ctx.billing.{call}).nope\n" for call in names)
    head = '\n@ext.tool("t")\nasync def t(ctx):\n'

    assert [] == messages(tmp_path, head + known, "5.9.16")
    assert len(names) == len(messages(tmp_path, head + lacking, "5.9.16"))
    (absent,) = messages(tmp_path, head + known, "5.9.13")
    assert "SubscriptionInfo has no billing_mode in imperal-sdk 5.9.13" in absent


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("5.9.12", "StoreClient has no for_user in imperal-sdk 5.9.12 (it came with 5.9.22)"),
        ("5.9.22", ""),
    ],
)
def test_a_member_that_came_later_is_asked_for(tmp_path: Path, version: str, said: str) -> None:
    """What the class has instead is no help to who needs the newer member."""
    found = messages(tmp_path, f'{TOOL}ctx.store.for_user("u")\n', version)
    assert [said in message for message in found] == [True] * bool(said)
    assert all(message.endswith(" t). Require imperal-sdk>=5.9.22.") for message in found)
