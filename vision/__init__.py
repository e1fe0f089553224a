"""Photograph in, table reading out."""
