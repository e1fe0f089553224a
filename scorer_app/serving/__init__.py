"""The server that carries the web application: connections, certificate, addresses."""
