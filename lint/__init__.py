"""The linter for extension code: source text in, findings out; nothing of it is ever run."""
