"""What every test shares: Hypothesis decides the same everywhere, and signals mean the same."""

import signal

from hypothesis import settings

settings.register_profile("tests", derandomize=True, deadline=None, database=None)
settings.load_profile("tests")

# A shell's background jobs start with SIGINT ignored, those of `nohup` with SIGHUP too, and
# every child inherits that.
for _number, _usual in [
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGHUP, signal.SIG_DFL),
    (signal.SIGTERM, signal.SIG_DFL),
]:
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _usual)
