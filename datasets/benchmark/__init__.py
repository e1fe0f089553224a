"""How well photographs are read: `python -m datasets.benchmark`.

`counting` judges one reading against one labelled picture, `measures` sums up with intervals,
`tables` writes and compares the committed results, `sheet` and `plots` draw. Each with a command of
its own: `speed` times the reader, `rules` the engine, `live` times and counts the live referee,
`promise` scores whole hands from labelled photographs, `scenes` whole hands from pictures rendered
with fresh seeds. The benches of the page are in `tests/scorer_app/bench`, since they drive it with
the tests' own server, browser and clients.
"""
