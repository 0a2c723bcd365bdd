"""What the documents promise of the store."""
