"""Playing cards for training: packs drawn over artwork installed on the machine, tables of them,
their labels, and the labelled photographs they are measured on.

`datasets/cards/artwork.txt` lists the Debian packages of the artwork; none of it is shipped.
"""
