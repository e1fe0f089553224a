"""Photographs rendered for the repository: the sample hands of the page, one of tiles and one of
cards, and scenes on which the reader is tested from end to end.

`python -m datasets.samples` writes all of them anew, with the same truth every time, into
`scorer_app/web/static/samples` and `tests/data/scenes`.

All that is seen in them is free to redistribute. Table tops, cloths, mugs and pads are drawn
here, never photographs; pads are written in OpenCV's own stroke letters; figures of comodines
are polygons. Numbers come from typefaces of Debian main:

| typeface | package | licence |
|---|---|---|
| Nimbus Sans, Nimbus Sans Narrow | fonts-urw-base35 | AGPL-3 with the exception for documents that
  use the font |
| Open Sans | fonts-open-sans | Apache-2.0 |
| Roboto Slab | fonts-roboto-slab | Apache-2.0 |
| Inter, Lato, Cabin, Cantarell, Comfortaa, Quicksand | fonts-inter, -lato, -cabin, -cantarell,
  -comfortaa, -quicksand | OFL-1.1 |
"""
