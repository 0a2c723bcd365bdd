"""The linter's commands, one module each."""
