"""One pytest item per clause: ``pytest --pyargs fedcheck.invariants --fedcheck-kernel REF``.

The installed plug-in provides the fixture and the parameters; nothing is imported here.
"""

from __future__ import annotations

from typing import Protocol


class _Judged(Protocol):
    def check(self) -> None: ...


def test_clause(fedcheck_clause: _Judged) -> None:
    """The kernel keeps this clause."""
    fedcheck_clause.check()
