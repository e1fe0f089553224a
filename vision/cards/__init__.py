"""What is particular to a table of cards: all corners of a card are one card, and cards that lie
over one another make columns.
"""
