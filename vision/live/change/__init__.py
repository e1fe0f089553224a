"""Where a frame differs from the table as it was last understood, and by what: tiles, light,
hands.

All works on small pictures; one small pixel spans `scale` pixels of the frame each way.
"""
