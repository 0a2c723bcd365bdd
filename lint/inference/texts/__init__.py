"""Strings: which characters they can hold, how long they are."""
