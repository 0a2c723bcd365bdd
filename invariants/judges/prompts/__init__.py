"""What the documents promise of prompts, replies, panels and the audit record."""
