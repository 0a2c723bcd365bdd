"""A run: from files and rules to findings, in one or several processes."""
