"""The linter for extension code (to come)."""
