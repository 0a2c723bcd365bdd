"""Decorators of the tree, and the functions that they put in the place of others."""
