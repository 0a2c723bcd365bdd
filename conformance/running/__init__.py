"""A whole run: its plan, its parts, its verdicts, and how it shows its progress."""
