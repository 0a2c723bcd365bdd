"""The part of the small extensions that gives a handler a context of its own."""

from __future__ import annotations

OWN_CONTEXT = """\
class MyUser:
    id = 1


class MyCtx:
    def __init__(self, ctx):
        self.user = MyUser()
"""
"""What ``MyCtx(ctx)`` makes has a user whose ``id`` exists; the SDK's own has none."""
