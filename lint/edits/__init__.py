"""Exact places in a source, and changes of its text: made by libcst."""
