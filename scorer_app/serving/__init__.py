"""The web server: its connections, its certificate and its addresses."""
