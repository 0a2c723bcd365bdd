"""Rules about the results of functions."""
