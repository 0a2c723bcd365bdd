"""Judges of what reaches a handler, of what its user agreed to, and of what is recorded of it."""
