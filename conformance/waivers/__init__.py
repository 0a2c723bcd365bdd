"""Breaches that are accepted for now: read, applied, written."""
