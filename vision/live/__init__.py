"""The live referee: watches a table through a camera and judges every confirmed change.

`watch = Watch(eyes, "burako", line)` begins to watch; `eyes` find and read faces, and `line`
separates the two sides of the table. `watch.see(frame, time)` takes in each frame; `watch.table` is
the table as last understood. Four packages do the work, each of which knows only those before it:
`change` (where the picture differs), `tracking` (which tiles lie where), `table` (which melds they
make), `telling` (what is reported).
"""

from vision.live.eyes import Eyes
from vision.live.recall import LabelledTile, TableMemory
from vision.live.settings import LiveConfig
from vision.live.table.kinds import ChangeKind
from vision.live.table.sides import Line
from vision.live.table.stable import LiveMeld, LiveTile, StableTable
from vision.live.telling.events import LiveEvent
from vision.live.watch import Update, Watch

__all__ = [
    "ChangeKind",
    "Eyes",
    "LabelledTile",
    "Line",
    "LiveConfig",
    "LiveEvent",
    "LiveMeld",
    "LiveTile",
    "StableTable",
    "TableMemory",
    "Update",
    "Watch",
]
