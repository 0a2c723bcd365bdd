"""What judges share: one reading of a trace each, computed once."""
