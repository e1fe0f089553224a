"""The Flask application: its pages, its API and its security."""
