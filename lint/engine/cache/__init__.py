"""What the linter remembers: whole runs, and what it found in each extension."""
