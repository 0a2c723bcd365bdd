"""What ``wanted - found`` puts into a payload: each case was run through ``json.dumps``."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = """
def known():
    return {"a", "b"}


@chat.function("f", "Tells")
async def f(ctx, p, given):
    one, two = {1, 2}, set(p)
    table = {"a": 1}
    flag = 3
    many = {1}
    many |= {2}
"""
SETS = (
    "one | two", "one - {1}", "one & two", "one ^ two", "(one | two) - {3}", "table.keys() - two",
    "table.keys() & table.keys()", "known() - one", "{x for x in p} | one", "set(p) - set(given)",
    "frozenset(p) | one", "many", "one.union(given)", "set(p).difference(given, p)", "many.copy()",
    "(one | two).intersection(p)", "known().union(two) | one", "set().union(*given)",
)  # fmt: skip
OTHERS = (
    "table | {'b': 1}", "flag | 4", "flag - 1", "flag & 1", "sorted(one | two)", "list(one - two)",
    "len(one & two)", "given - one", "one - given", "given - p", "bool(one - two)",
    "', '.join(known() - one)", "[x for x in one | two]", "1 in one | two", "(one - two) == one",
    "one <= two", "[1] + [2]", "given.union(one)", "table.copy()", "[1].copy()", "given.copy()",
    "one.isdisjoint(two)", "one.pop()", "sorted(one.union(two))", "p.difference(one)",
)  # fmt: skip


@pytest.mark.parametrize("data", SETS)
def test_operations_of_sets_make_sets(lint: Lint, data: str) -> None:
    """Where both sides certainly are sets, or views of a dict."""
    found = lint("FED402", f'{HEAD}    return ActionResult.success({{"a": {data}}}, "x")\n')
    assert ["error"] == [item.severity for item in found]
    assert found[0].message.startswith("data['a'] is a set: ")
    assert found[0].message.endswith(f"Write sorted({data}).")


@pytest.mark.parametrize("data", OTHERS)
def test_other_operations_make_none(lint: Lint, data: str) -> None:
    """Dicts, numbers, lists, and what is not known."""
    found = lint("FED402", f'{HEAD}    return ActionResult.success({{"a": {data}}}, "x")\n')
    assert () == found
