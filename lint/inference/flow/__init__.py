"""Which code runs when, and what a test tells."""
