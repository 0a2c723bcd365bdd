"""Rules about calls and names of the SDK."""
