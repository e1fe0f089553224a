"""The same examples on every machine and every run."""

from hypothesis import settings

settings.register_profile("seeded", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("seeded")
