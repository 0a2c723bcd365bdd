"""The words, the judges and the catalog. Pure: no kernel, no file, no terminal."""
