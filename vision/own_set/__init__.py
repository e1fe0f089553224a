"""One's own set of tiles: taught once from photographs, then read better than any other set."""
