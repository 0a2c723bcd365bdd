"""Texts: which characters they can hold."""
