"""What is told of components, and what those of the installed SDK do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.lint.engine import CheckResult

sdk = pytest.importorskip("imperal_sdk", reason="needs the extra `sdk`")

Check = Callable[..., CheckResult]

CALLS = (
    "ui.Stack([])", "ui.Stack([], 'h')", "ui.Stack([], ' Row ')", "ui.Stack([], direction='COL')",
    "ui.Stack([], 'left')", "ui.Stack([], None)", "ui.Stack([], 1)", "ui.Stack([], '')",
    "ui.Stack(ui.Text('a'), ui.Text('b'))", "ui.Stack([ui.Text('a')], [ui.Text('b')])",
    "ui.Alert('x')", "ui.Alert('x', variant='')", "ui.Alert('x', variant='Warn')",
    "ui.Alert('x', 't', 'danger')", "ui.Alert('x', type='primary')", "ui.Alert('x', type='ok')",
    "ui.Alert('x', variant='info', type='primary')", "ui.Alert('x', variant=5)",
    "ui.Toast('x', 'neutral')", "ui.Toast('x', 'warning', 0)", "ui.Toast('x', duration=-1)",
    "ui.Input(type='date')", "ui.Input(type='email')", "ui.Input(type='')",
    "ui.Input(variant='ghost')", "ui.Input(variant='outline')",
    "ui.FileUpload(variant='compact')", "ui.FileUpload(variant='big')",
    "ui.RadioGroup([], orientation='row')", "ui.RadioGroup([], orientation='vertical')",
    "ui.Stat('x', 1, trend_direction='up')", "ui.Stat('x', 1, trend_direction='flat')",
    "ui.Stat('x', 1, trend_direction='')", "ui.Modal('x', [], size='huge')",
    "ui.Modal('x', [], size='40rem')", "ui.Modal('x', [], size='')",
    "ui.Modal('x', [], size='2xl')", "ui.Tooltip('x', ui.Text('a'))", "ui.Link()", "ui.Link('x')",
    "ui.Link(href='/x')", "ui.Link(text='x')", "ui.Link('')", "ui.Link(label=None, href='/x')",
    "ui.Link('', text='x')", "ui.Link('x', text='')", "ui.Link(label='', text=None)",
    "ui.Alert('x', 't', '', type='primary')", "ui.Alert('x', variant=None, type='primary')",
    "ui.Alert('x', variant='', type='ok')", "ui.Toast('x', action=ui.Call('undo'))",
    "ui.Toast('x', action_label='Undo')", "ui.Toast('x', action=ui.Button('u'), action_label='')",
    "ui.Toast('x', action=ui.Call('undo'), action_label='Undo')", "ui.Toast('x', action=None)",
    "ui.Toast('x', action=None, action_label='')",
)  # fmt: skip


def raises(call: str) -> bool:
    """Tell whether a component refuses its arguments."""
    try:
        eval(call, {"ui": sdk.ui})  # noqa: S307 - written above
    except (TypeError, ValueError):
        return True
    return False


@pytest.mark.parametrize("call", CALLS)
def test_exactly_what_a_component_refuses_is_told(check_files: Check, call: str) -> None:
    """By FED538, or by FED108 if it is the signature that refuses."""
    text = f"from imperal_sdk import Extension, ui\n\next = Extension('notes')\npart = {call}\n"
    found = check_files({"main.py": text}, codes=frozenset({"FED108", "FED538"}))
    assert ["error"] * raises(call) == [item.severity for item in found.findings]


PARTS = (
    "ui.Stack([]).children", "ui.Stack([]).props", "ui.Stack([]).type", "ui.Stack([]).to_dict",
    "ui.Call('x').params", "ui.Call('x').action", "ui.Button('x').label", "ui.Text('x').content",
    "ui.DataColumn('a', 'b').get", "ui.Text('x').__class__", "ui.Navigate('/x').props.x",
)  # fmt: skip


@pytest.mark.parametrize("asked", PARTS)
def test_what_a_component_lacks_is_told(check_files: Check, asked: str) -> None:
    """Nothing is told of what is there; what is not there is told, but where a part may be."""
    try:
        eval(asked, {"ui": sdk.ui})  # noqa: S307 - written above
        lacks = False
    except AttributeError:
        lacks = True
    text = f"from imperal_sdk import Extension, ui\n\next = Extension('notes')\npart = {asked}\n"
    found = check_files({"main.py": text}, codes=frozenset({"FED116"}))
    may_be_there = ".props." in asked  # an action has none, a component has
    assert ["error"] * (lacks and not may_be_there) == [it.severity for it in found.findings]
