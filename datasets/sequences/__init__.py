"""Renders films of a table at play, with the truth of every event, for the live referee."""
