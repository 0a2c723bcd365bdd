"""One module per invariant: its clauses, and the judge of each."""
