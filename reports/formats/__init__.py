"""One module per format of a report, and the table of all of them."""
