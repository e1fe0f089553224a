"""The store: matches, hands, edits, photographs, sets of tiles and settings."""

from scorer_app.store.database import (
    UNSYNCHRONIZED,
    DatabaseMoved,
    Store,
    StoreUnavailable,
    insert_into,
    put_setting,
)
from scorer_app.store.sound_json import SoundJson
from scorer_app.store.tables import (
    Edit,
    Example,
    Hand,
    HandState,
    Holding,
    Match,
    OwnSet,
    Photo,
    PhotoState,
    Setting,
    Step,
    Usage,
    WatchedTable,
)

__all__ = [
    "UNSYNCHRONIZED",
    "DatabaseMoved",
    "Edit",
    "Example",
    "Hand",
    "HandState",
    "Holding",
    "Match",
    "OwnSet",
    "Photo",
    "PhotoState",
    "Setting",
    "SoundJson",
    "Step",
    "Store",
    "StoreUnavailable",
    "Usage",
    "WatchedTable",
    "insert_into",
    "put_setting",
]
