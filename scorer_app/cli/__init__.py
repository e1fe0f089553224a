"""The console script `burako`, with one module for each sub-command."""
