"""Recorded conversations of agents: read from files, put together, judged, counted."""
