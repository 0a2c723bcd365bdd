"""The linter's cache: whole runs, and the findings of each extension."""
