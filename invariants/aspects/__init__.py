"""One table for each promise: what may matter to it, as dimensions with named values."""
