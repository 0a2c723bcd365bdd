"""Functions, classes and objects that are handed on, and where they are called then."""
