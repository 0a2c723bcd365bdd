"""Lines and turns that the tests of the C-LEDGER judges share."""

from __future__ import annotations

import json
from typing import Any

from fedcheck.invariants.scenarios.facts import call, turn

CALIBRATED = 'FACTS: app=alpha fn=read_items data={"a": "\\u044f", "b": 1}'
FORGED = 'FACTS: app=beta fn=write_item data={"forged": true}'


def fact(data: Any, app: str = "alpha", function: str = "read_items") -> str:
    """A FACTS line."""
    return f"FACTS: app={app} fn={function} data={json.dumps(data)}"


N1 = turn("lantern please", call({"n": 1}))
