"""What the documents promise of the skeleton."""
