"""Attacks on a running `burako serve`, on loopback only, seeded and bounded in time.

`python -m tests.attack` runs every part in turn and ends with status 1 where one found a fault;
SECURITY.md says what is promised and which part tests it.
"""
