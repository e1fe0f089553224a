"""How well photographs are read: `python -m datasets.benchmark`.

`counting` judges one reading against one labelled picture, `measures` turns the counts of many
pictures into figures with intervals, `tables` writes and compares the committed results, `sheet`
draws the tiles that were not read exactly, and `plots` draws how far confidence can be trusted and
which faces are confused. Further measurements are commands of this package, such as `python -m
datasets.benchmark.speed`: `speed` times the reader, and `rules` times the engine. `live` times the
live referee and counts the changes that it reports correctly. `promise` scores whole hands from
labelled photographs, and `scenes` scores whole hands from pictures rendered with fresh seeds. The
speed of the web page is measured in `tests/scorer_app/bench`, with the server, browser and clients
of the tests.

A *shoot* is a series of photographs of one set of tiles, taken on one occasion, so that they
resemble one another. A *fold* is a folder of networks that were trained without the photographs of
one shoot, so that they can be measured on it.
"""
