"""Writing rules: their pages, their examples, the start of a new one."""
