"""One file: its tree, its names, its imports."""
