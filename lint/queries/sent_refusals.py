"""The parts of what a client sends as JSON that JSON cannot carry."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ..model.evaluator import Alternatives, Evaluator
from ..model.written import Written
from .not_json import is_payload_model
from .refusals import refusals
from .refused_parts import MODEL, Refusal


def sent_refusals(evaluator: Evaluator, at: Written, name: str) -> Iterator[Refusal]:
    """Yield the parts of what a client sends as JSON that JSON cannot carry.

    Nobody dumps a model that stands in it, or is all of it.

    Args:
        evaluator: of the extension.
        at: the argument.
        name: of the parameter.
    """
    found = [is_payload_model(evaluator, it.value) for it in _values(evaluator, at)]
    if any(found):
        yield Refusal(MODEL, name, certain=all(found), at=at)
        return
    for refusal in refusals(evaluator, at, name):
        inside = _values(evaluator, refusal.at) if refusal.what == MODEL and refusal.at else ()
        certain = all(is_payload_model(evaluator, it.value) for it in inside)
        yield refusal if not inside else msgspec.structs.replace(refusal, certain=certain)


def _values(evaluator: Evaluator, at: Written) -> Alternatives:
    return evaluator.values(at.module, at.node, at.frame)
