"""The record as pages: HTML for a reader and an auditor, its plots, and the same on paper."""
