"""The commands that render, sign and compare records, one module each."""
