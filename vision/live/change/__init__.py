"""Where a frame differs from the table as it was last understood, and what makes the difference: a
tile, the light or a hand.

All modules work on small pictures; one small pixel spans `scale` pixels of the frame each way.
"""
