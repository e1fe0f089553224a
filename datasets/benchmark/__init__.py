"""How well photographs are read, counted as the command line contract says: `python -m
datasets.benchmark`.

`counting` judges one reading against one labelled picture, `measures` sums up with intervals,
`tables` writes and compares the committed results, `sheet` and `plots` draw, `speed` times,
`promise` scores whole hands.
"""
