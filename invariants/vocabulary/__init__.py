"""The words: scenario, trace, clause, verdict; how each is read, written and compared."""
