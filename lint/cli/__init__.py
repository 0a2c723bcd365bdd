"""The command: its options, its output, and the fast ways to an answer."""
