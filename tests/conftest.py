"""What every test shares: Hypothesis decides the same everywhere, and Ctrl-C means Ctrl-C."""

import signal

from hypothesis import settings

settings.register_profile("tests", derandomize=True, deadline=None, database=None)
settings.load_profile("tests")

# A shell starts its background jobs with SIGINT ignored, and every child inherits that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
