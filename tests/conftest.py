"""What every test shares: Hypothesis decides the same everywhere and leaves no file behind."""

from hypothesis import settings

settings.register_profile("tests", derandomize=True, deadline=None, database=None)
settings.load_profile("tests")
