"""Functions: who calls them, with what, and what they give back."""
