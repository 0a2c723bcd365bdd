"""Judges of turns in which something befalls them while they run."""
