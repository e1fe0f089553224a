"""Everything that speaks HTTP: the Flask application, its pages and its security."""
