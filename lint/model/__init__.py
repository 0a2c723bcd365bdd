"""The semantic model: one extension, read but never run, and what its expressions are worth."""
