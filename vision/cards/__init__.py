"""What only tables of cards need: several corners of one card may show, and cards that lie over one
another make columns.
"""
