"""What the documents promise of the cache."""
