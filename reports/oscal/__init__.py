"""The record as OSCAL: catalog, component definition, assessment plan and results."""
