"""Rules about the extension and its declarations."""
