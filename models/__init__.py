"""The trained networks, their manifest and their training recipes."""
