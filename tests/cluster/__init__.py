"""What several processes over one PostgreSQL must keep: `make test-cluster`."""
