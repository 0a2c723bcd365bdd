"""What a run was asked to do: the configuration, its options, ranges of versions."""
