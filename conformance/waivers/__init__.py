"""Breaches that are borne for now: read, applied, written."""
