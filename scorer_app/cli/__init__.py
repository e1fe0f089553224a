"""The console script `burako`: one module a sub-command."""
