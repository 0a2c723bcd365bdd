"""A module that ends the process while it is imported."""

import os
import sys

sys.stderr.write("dying words\n")
sys.stderr.flush()
os._exit(9)
