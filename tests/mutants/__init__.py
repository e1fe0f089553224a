"""Mutation testing: `make mutants` changes the code in small ways and counts what the tests notice.

`python -m tests.mutants --help` names the options. cosmic-ray makes the mutants; this package draws
a sample, runs each mutant against the tests of its room in a copy of the project, and keeps the
list of survivors in `SURVIVORS.md`, each with the reason why no test kills it.
"""
