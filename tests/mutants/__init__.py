"""Mutation testing: `make mutants` changes the code in small ways and counts what the tests notice.

`python -m tests.mutants --help` names the options. cosmic-ray makes the mutants; this package draws
a sample, runs each mutant in a copy of the project against those tests of its room that execute
what it changes, as SlipCover tells, and keeps the list of survivors in `SURVIVORS.md`, each with
the reason why no test kills it.
"""
