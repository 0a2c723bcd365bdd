"""Text for terminals and files: styles, escapes, streams, writing that cannot hurt an input."""
