"""Our kernel's promises, one test for each clause: run ``pytest`` in this folder.

In a test suite of your own, two statements give one test for each clause: these two.
"""

from fedcheck.conformance.pytest_plugin import test_clause

fedcheck_kernel = "my_kernel:Kernel"  # found in the folder where pytest is started, or installed
