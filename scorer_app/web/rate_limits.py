"""Limits how often something may be done from one network address."""

from __future__ import annotations

import threading
import time
from collections import deque


class RateLimiter:
    """Allows `count` events a minute for each key, such as a network address. Keys without recent
    events are forgotten.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._events: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def allow(self, key: str, *, counts: bool = True) -> bool:
        """Tell whether one more event is allowed for the key now, and count the event if so, unless
        `counts` is false: such an event is refused as any other, but uses up nothing.
        """
        moment = time.monotonic()
        with self._lock:
            if len(self._events) > 1000:
                self._events = {
                    name: seen
                    for name, seen in self._events.items()
                    if seen and seen[-1] > moment - 60
                }
            seen = self._events.setdefault(key, deque())
            while seen and seen[0] < moment - 60:
                seen.popleft()
            if len(seen) >= self.count:
                return False
            if counts:
                seen.append(moment)
            return True
