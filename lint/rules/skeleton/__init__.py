"""Rules about skeleton sections."""
