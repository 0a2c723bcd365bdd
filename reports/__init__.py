"""The run record and everything that is rendered from it."""
