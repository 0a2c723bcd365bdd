"""Agent runtimes, driven without an adapter of their own: the model and the tools are ours."""
