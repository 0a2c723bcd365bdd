"""Dicts and lists: their keys, their items, their lengths."""
