"""A module that raises while it is imported."""

raise OSError("no configuration found")
