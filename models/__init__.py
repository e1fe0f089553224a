"""The trained networks and their manifest; `models.recipes` trains them."""
