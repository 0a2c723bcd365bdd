"""Calls that the SDK rejects: problems, messages, severity."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

import msgspec

from .....reports.lint.findings import ChainStep, Severity
from ....inference.calls.handlers import DECLARING
from ....inference.syntax.module import last_name
from ....inference.values.values import Alternative, SdkMethod, Step
from ....sdk.module_surface import modules
from ....sdk.releases import version_key
from ....sdk.surface import Signature, signature
from ....sdk_use.calls import fully_shown
from ....sdk_use.certainty import near_names
from ....sdk_use.guards import refusal_expected
from ....sdk_use.import_errors import never_runs
from ....sdk_use.reach import is_patched
from ....sdk_use.sdk_names import FunctionCall, function_calls, named_callee, path_of
from ....sdk_use.sdk_objects import call_problems, is_certain, is_cured, source_of
from ....view import FileView, step_at

TYPE_ERROR = "TypeError"
"""What a call raises whose arguments do not fit; models raise an error of their own."""
_UNKNOWN = "has no parameter "
_OTHER_NAMES = {("ui.Link", "url"): "href", ("ui.Link", "to"): "href"}
"""(Component, keyword of another library) → what the SDK calls it."""


class Rejected(msgspec.Struct, frozen=True):
    """A call with problems.

    Attributes:
        call: with what it spreads written out.
        problems: what ``call_problems`` found.
        item: the alternative that makes it a call of the SDK.
        way: the callers' calls, outermost first; none if the call itself is wrong.
        others: number of further such calls.
    """

    call: ast.Call
    problems: list[str]
    item: Alternative
    way: tuple[Step, ...] = ()
    others: int = 0


def rejected(
    view: FileView, call: ast.Call, item: Alternative, find: Callable[[ast.Call], list[str]]
) -> Rejected | None:
    """Return the problems of a call, if it has any.

    Args:
        view: the file.
        call: the call.
        item: the alternative that makes it a call of the SDK.
        find: returns the problems of a call.
    """
    own = fully_shown(view, call)
    problems = find(own)
    return Rejected(own, problems, item) if problems else None


def rejected_functions(view: FileView) -> Iterator[tuple[FunctionCall, Rejected]]:
    """Yield the rejected calls of the SDK's functions, classes and models."""
    if not modules(view.surface.version).is_known:
        return
    for found in function_calls(view):
        wrong = rejected(view, found.node, found.item, partial(call_problems, spec=found.spec))
        if wrong and found.name not in DECLARING and not is_patched(view, found.name):
            yield found, wrong


def function_message(view: FileView, found: FunctionCall, wrong: Rejected) -> str:
    """Return the message for a function's call: problem, effect, replacement."""
    name = f"extends {found.name}" if found.callee is None else f"is {found.name}"
    own = "" if _names(found.node, found.name) else name
    text = rejection(view, found.node, own, wrong, error_of(found))
    made = msgspec.structs.replace(found, node=wrong.call)
    return f"{text}\nJudged for {view.sdk}. {_function_advice(made)}"


def chain_of(view: FileView, wrong: Rejected) -> tuple[ChainStep, ...]:
    """Return the chain to a rejected call, by its callee or its callers."""
    own = view.chain(wrong.item)
    return own or tuple(step_at(it.module, it.node, f"calls {it.callee}") for it in wrong.way)


def error_of(found: FunctionCall) -> str:
    """Return the exception that a rejected call raises."""
    return "pydantic.ValidationError" if found.is_model and not found.node.args else TYPE_ERROR


def rejection(view: FileView, call: ast.Call, own: str, wrong: Rejected, error: str) -> str:
    """Return the beginning of a message, up to the exception that the call raises.

    Args:
        view: the file.
        call: the call.
        own: what the callee is, if the code calls it by another name.
        wrong: what is wrong with it.
        error: the exception.
    """
    which = f", which {own}," if own else ""
    expected = _expected(view, call, error)
    known = f"as {expected} expects, " if expected else ""
    raises = f"{known}it raises"
    if not expected and never_runs(view, call):
        raises = "in this branch, which never runs, it would raise"
    said = f"{source_of(call.func)}(){which} {_joined(wrong.problems)}: {raises} {error}"
    return f"{_called_by(wrong)}{said}"


def _called_by(wrong: Rejected) -> str:
    """Return in words the caller whose arguments do not fit."""
    if not wrong.way:
        return ""
    step, others = wrong.way[0], wrong.others
    line: int = getattr(step.node, "lineno", 1)
    more = f" and {others} more call{'s' * (others > 1)}" if others else ""
    place = f"line {line} of {step.module.source.path.name}"
    return f"Called through {source_of(step.node)} in {place}{more}, "


def _expected(view: FileView, call: ast.Call, error: str) -> str:
    return refusal_expected(view, call, error.rpartition(".")[2])


def _joined(problems: Sequence[str]) -> str:
    unknown = [item[len(_UNKNOWN) :] for item in problems if item.startswith(_UNKNOWN)]
    parts = [item for item in problems if not item.startswith(_UNKNOWN)]
    if unknown:
        before = ", ".join(unknown[:-1])
        parts.insert(0, f"{_UNKNOWN}{before}{' or ' * bool(before)}{unknown[-1]}")
    return " and ".join(parts)


def severity_of(
    view: FileView,
    call: ast.Call,
    item: Alternative,
    *,
    error: str,
    certain: bool = True,
) -> Severity | None:
    """Return the severity of a rejected call; None for that of the rule."""
    if _expected(view, call, error) or never_runs(view, call):
        return "info"
    is_whole = any(each.value == item.value for each in view.values(call.func))
    callee = call.func if is_whole else named_callee(call)  # ``TABLE["get"]``, ``EntityList[Note]``
    return None if certain and is_certain(view, callee, item) else "warning"


def _names(call: ast.Call, name: str) -> bool:
    return last_name(named_callee(call)) == name


def upgrade_to(written: Iterable[str], since: Callable[[str], str]) -> str:
    """Return the advice to upgrade, if a newer release has all missing parameters.

    Args:
        written: the parameters.
        since: returns the newer release that added a parameter; empty if none.
    """
    names = sorted(written)
    releases = {since(name) for name in names}
    if not names or "" in releases:
        return ""
    release = max(releases, key=version_key)
    listed = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    came = f"came with {release}" if len(releases) == 1 else f"are all there from {release} on"
    return (
        f"{listed} {came}: ask for that version in the requirements, "
        "or in sdk_version of imperal.json."
    )


def came_later(view: FileView, method: SdkMethod, written: Iterable[str]) -> str:
    """Return the advice to upgrade for a method's parameters; empty if no release has all."""
    releases = [
        (since, signature(text[text.index("(") :]).names)
        for since, text in view.surface.history(method.owner.cls, method.name)
        if version_key(since) > view.surface.key and "(" in text
    ]

    def since(parameter: str) -> str:
        return next((release for release, names in releases if parameter in names), "")

    return upgrade_to(written, since)


def parameters_of(call: ast.Call, spec: Signature) -> str:
    """Return in words the parameters of a signature, or where a dict's entries belong."""
    surplus = call.args[len(spec.positional) :]
    if spec.open and len(surplus) == 1 and isinstance(surplus[0], ast.Dict):
        keys = [key.value for key in surplus[0].keys if isinstance(key, ast.Constant)]
        shown = [f"{key}=…" for key in keys if isinstance(key, str) and key.isidentifier()][:3]
        if shown:
            return f"Write the entries of the dict as keywords: {', '.join(shown)}."
    return f"Its parameters: {', '.join(spec.names)}{', **…' if spec.open else ''}."


def _model_advice(found: FunctionCall) -> str:
    given = {item.arg for item in found.node.keywords}
    missing = [name for name in found.spec.names if name not in given]
    passed = " and ".join(f"{name}=…" for name in missing)
    cls = last_name(named_callee(found.node)) or "the class"
    one = len(missing) == 1
    what, defaults = ("that", "a default for it") if one else ("them", "defaults for them")
    return f"{found.name} requires {what}: pass {passed}, or give {cls} {defaults}."


def meant_instead(found: FunctionCall) -> tuple[str, str] | None:
    """Return (written, meant) if renaming one unknown keyword solves all problems."""
    names = {item.arg for item in found.node.keywords}
    by_position = found.spec.positional[: len(found.node.args)]
    unknown = names.difference(found.spec.names)
    known = {_OTHER_NAMES.get((path_of(found.item.value), name or "")) for name in unknown}
    missing = (found.spec.required | known).difference(names, by_position, {None})
    if len(unknown) != 1 or len(missing) != 1 or None in names or found.spec.open:
        return None
    values = [item.value for item in found.node.keywords if item.arg in unknown]
    if any(isinstance(value, ast.Constant) and isinstance(value.value, bool) for value in values):
        return None  # a yes or no stands for no text and no list
    is_component = path_of(found.item.value).startswith("ui.")
    if is_component and any(isinstance(value, (ast.Dict, ast.DictComp)) for value in values):
        return None  # what components require is a list or a text
    return str(*unknown), str(*missing)


def _numbers_in(name: str) -> list[str]:
    """Return the digits of a name: ``y2_keys`` is another series, not a misspelt ``y_keys``."""
    return [character for character in name if character.isdigit()]


def _function_advice(found: FunctionCall) -> str:
    if found.callee is None:
        return _model_advice(found)
    names = {item.arg for item in found.node.keywords}
    renamed = meant_instead(found)
    if renamed is not None and not found.callee.since(renamed[0]):
        return f"Write {renamed[1]}= instead of {renamed[0]}=."
    upgrade = upgrade_to(filter(None, names.difference(found.spec.names)), found.callee.since)
    if upgrade:
        return upgrade
    close = misspelt(found.node, found.spec)
    if close is not None and is_cured(call_problems(found.node, found.spec), *close):
        return f"Write {close[1]}= instead of {close[0]}=."
    if found.name == "ActionResult":
        return "Write ActionResult.success(data, summary), or ActionResult.error(error)."
    return parameters_of(found.node, found.spec)


def misspelt(call: ast.Call, spec: Signature) -> tuple[str, str] | None:
    """Return (written, meant) of the first unknown keyword that is much like a free parameter."""
    given = {item.arg for item in call.keywords if item.arg is not None}
    for written in sorted(given.difference(spec.names)):
        close = near_names(written, spec.names, most=1, alike=0.75)
        if close and close[0] not in given and _numbers_in(close[0]) == _numbers_in(written):
            return written, close[0]
    return None
