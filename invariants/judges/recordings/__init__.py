"""Judges of recordings alone: no scenario shows what they ask, so no kernel is run for them.

They are no part of the catalog; `invariants/recorded.py` lists them for ``fedcheck audit``.
"""
