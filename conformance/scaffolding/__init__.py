"""Files to start from: a new adapter, a new invariant."""
