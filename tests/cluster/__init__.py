"""Tests of several processes over one PostgreSQL: `make test-cluster`."""
