"""Findings of the linter: their types, and every format in which they are written."""
