"""Evidence that holds: bundles, signed statements, and what checks them."""
