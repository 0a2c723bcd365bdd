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
START = f"""\
from imperal_sdk import ActionResult, Extension

ext = Extension("notes")


class Env:
    ok = True


{OWN_CONTEXT}
"""
"""An extension, and an object that looks like a result."""
