"""Rules about the cache."""
