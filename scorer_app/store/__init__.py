"""The store: matches, hands, edits, photographs and settings."""

from scorer_app.store.database import Store, StoreUnavailable
from scorer_app.store.tables import Edit, Hand, HandState, Match, Photo, PhotoState, Setting

__all__ = [
    "Edit",
    "Hand",
    "HandState",
    "Match",
    "Photo",
    "PhotoState",
    "Setting",
    "Store",
    "StoreUnavailable",
]
