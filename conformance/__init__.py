"""Drives kernels, explores, confirms and reduces, gives verdicts."""
