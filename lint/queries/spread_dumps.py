"""Dumps of models that a dict takes over: ``{**note.model_dump(), "n": 1}``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.dict_shapes import fields_of
from ..model.dict_sources import sources_of
from ..model.evaluator import Evaluator
from ..model.written import Written
from .dumped_models import Dump, DumpedField, dumped_fields, dumps_of


def spread_dumps(evaluator: Evaluator, at: Written) -> Iterator[tuple[Dump, DumpedField]]:
    """Yield the fields that a dict takes over and keeps, each with the dump that it stems from."""
    sources = sources_of(at.node)
    found = [
        dump
        for source in sources
        for dump in dumps_of(evaluator, at.module, source, at.frame, bare=False)
        if not dump.is_json
    ]
    fields = fields_of(evaluator, at) if found else None
    if fields is None or (fields.dynamic and at.is_mentioned(evaluator)):
        return
    for dump in found:
        for field in dumped_fields(evaluator, dump):
            kept = fields.values.get(field.name, [])
            if len(kept) == 1 and _is_annotation(kept[0]):
                yield dump, field


def _is_annotation(at: Written) -> bool:
    """Tell whether a value stands for the field of a model, which is all that its shape says."""
    parent = at.module.parents.get(at.node)
    return isinstance(parent, ast.AnnAssign) and parent.annotation is at.node
