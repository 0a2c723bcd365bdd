"""What the rules beside it ask of an extension."""
