"""Judges of what agent runtimes send to a model and to tools that are ours."""
