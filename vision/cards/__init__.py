"""What is particular to a table of cards: several corners may show of one card, and cards that lie
over one another make columns.
"""
