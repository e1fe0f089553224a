"""Rendered scenes, loaders of labelled photographs, and the benchmark."""
