"""Amounts that are computed with Decimals, which JSON cannot carry."""

from __future__ import annotations

import pytest

from .conftest import Lint

MAIN = """
from decimal import ROUND_HALF_UP, Decimal


@chat.function("f", "Tells")
async def f(ctx, p):
    price = Decimal(p["price"])
    prices = [Decimal(str(it)) for it in p["all"]]
    total = START
    for it in p["all"]:
        total OP Decimal(str(it))
    return ActionResult.success({"amount": AMOUNT}, "s")
"""


def told(lint: Lint, amount: str, start: str = "Decimal(0)", op: str = "+=") -> list[str]:
    """Return what is said of an amount."""
    main = MAIN.replace("AMOUNT", amount).replace("START", start).replace("OP", op)
    return [f"{it.severity}: {it.message.partition(':')[0]}" for it in lint("FED402", main)]


@pytest.mark.parametrize(
    "amount",
    [
        "total",
        "price * 2",
        'price * Decimal("1.19")',
        "2 * price - 1",
        "-(price / 3)",
        "sum(prices, Decimal(0))",
        'sum((Decimal(it) for it in p["all"]), start=Decimal("0.00"))',
        "round(price, 2)",
        "abs(price - 1)",
        'price.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)',
        '(price * 2).quantize(Decimal("0.01"))',
    ],
)
def test_an_amount(lint: Lint, amount: str) -> None:
    """It is a Decimal as its parts are."""
    assert told(lint, amount) == ["error: data['amount'] is a Decimal"]


@pytest.mark.parametrize(
    "amount",
    [
        "float(total)",
        "str(price * 2)",
        "round(price)",
        "f'{total:.2f}'",
        "'%s' % price",
        "int(sum(prices, Decimal(0)))",
        "sum(it['n'] for it in p['all'])",
        "total if isinstance(total, str) else float(total)",
        "price > 2",
    ],
)
def test_an_amount_that_is_carried(lint: Lint, amount: str) -> None:
    """Texts, floats and integers are no Decimals any more."""
    assert told(lint, amount) == []


def test_a_total(lint: Lint) -> None:
    """It is told if it is a Decimal without any row too, and stays one."""
    assert told(lint, "total", "0") == []
    assert told(lint, "total", "p['total']") == []
    assert told(lint, "total", "Decimal(0)", "=") != []
