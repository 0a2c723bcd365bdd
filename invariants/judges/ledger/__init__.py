"""What the documents promise of the fact ledger."""
