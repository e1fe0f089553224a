"""One's own set of tiles: taught once from photographs, then read better than a set that was not
taught.
"""
