"""Findings that an author accepts: comments on a line, baselines, and the rules about both."""
