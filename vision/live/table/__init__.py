"""Which melds the tiles make, and whether what happened to them is legal."""
