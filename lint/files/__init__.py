"""The files of a run: which there are, what they hold and import, how one is written."""
