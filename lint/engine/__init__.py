"""A run: which rules look at which files, in which process, and what becomes of their findings."""
