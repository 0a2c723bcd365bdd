"""A promise of our own, judged by fedcheck: ACME-REPLY-SHOWN."""
