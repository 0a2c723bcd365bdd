"""A module that cannot be imported: something that it needs is missing."""

import a_module_that_nobody_has  # noqa: F401
