"""How sure the reader has to be of what a teaching photograph shows."""

from __future__ import annotations

import numpy as np

# Log-probability from which a number, a comodín or a direction is surely read.
SURE = float(np.log(0.9))
# Mean of a row's log-probabilities from which its digits are believed.
LEGIBLE = float(np.log(0.5))
# Least logarithm of a probability that counts: otherwise one unreadable digit would outweigh a
# whole row.
LOWEST_LOG = -4.0
