"""The live referee: watches a table through a camera and judges every settled change.

`watch = Watch(eyes, "burako", line)`, then `watch.see(frame, time)` for every frame;
`watch.table` is the stable table.
"""

from vision.live.changes import Change
from vision.live.events import LiveEvent, LiveMeld, LiveTile, StableTable
from vision.live.judging import Line
from vision.live.settings import LiveConfig
from vision.live.tracks import Eyes
from vision.live.watch import Watch

__all__ = [
    "Change",
    "Eyes",
    "Line",
    "LiveConfig",
    "LiveEvent",
    "LiveMeld",
    "LiveTile",
    "StableTable",
    "Watch",
]
