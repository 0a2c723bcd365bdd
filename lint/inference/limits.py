"""Limits of the inference; what lies beyond is unknown, and unknown is no finding.

No limit changes a finding in published extensions; each bounds the time for generated code.
"""

from __future__ import annotations

VALUES = 24
"""Alternatives of one expression."""
CALLERS = 100
"""Calls of one function, or of one class, whose arguments are looked at."""
DEPTH = 50
"""Expressions that lead from one to the next."""
CALLERS_DEPTH = 40
"""The same for callers, which are found once for all questions, so they must be found whole."""
CALLS = 6
"""Calls inside calls whose results are followed, while the extension has few in all."""
FEW_CALLS = 2
"""The same once it has many."""
MANY_CALLS = 20_000
"""Where ten functions call each other, the ways from one to the other are a million; the largest
extension makes 3,000."""
SUMMARIES = 8
"""Kinds of calls of one function, by what they give, for which it is kept what it returns."""
