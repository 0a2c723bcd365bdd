"""Applying fixes: edits by libcst, linted again, written atomically."""
