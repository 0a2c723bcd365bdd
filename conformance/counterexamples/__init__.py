"""Failures that stay: confirmed, made small, written to files, replayed."""
