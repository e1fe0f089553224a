"""Rendered sequences of a table being played on, with the truth of every event, for the live
referee.
"""
