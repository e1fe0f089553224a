"""Playing cards for training: packs drawn over artwork installed on the machine, rendered tables of
cards and their labels. `photos` loads labelled photographs, on which the reading of cards is
measured.

`datasets/cards/artwork.txt` lists the Debian packages of the artwork; none of it is shipped.
"""
