"""From a proposed edit to a changed file: made by libcst, linted again, written whole."""
