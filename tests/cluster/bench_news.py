"""How long after a tap the phones at two page processes hear of it.

`python -m tests.cluster.postgresql python -m tests.cluster.bench_news` taps 18 times, at either
process in turn, while 400 phones follow the hand. It prints the times, in milliseconds, from just
before a tap is sent until each phone has heard. Only the times of an otherwise idle machine are
worth anything.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

import numpy as np

from .databases import empty_databases, in_schema, page_processes
from .test_news import begun_hand, hear, phones_of, tap, while_following

PHONES, TAPS, PAUSE = 400, 18, 0.2  # a stream ends after 20 changes


def main() -> None:
    with (
        empty_databases(1) as (schema,),
        tempfile.TemporaryDirectory() as folder,
        page_processes(
            in_schema(schema).render_as_string(hide_password=False), Path(folder)
        ) as pages,
    ):
        hand, sent = begun_hand(pages[0]), []
        phones = phones_of(pages, hand, PHONES // len(pages))

        async def tap_often() -> None:
            for number in range(TAPS):
                sent.append(time.monotonic())
                await asyncio.to_thread(tap, pages[number % 2], hand, number)
                await hear(phones, number + 2)
                await asyncio.sleep(PAUSE)

        asyncio.run(while_following(phones, tap_often))
    heard = np.array([phone.heard[1:] for phone in phones])  # (phones, taps)
    late = 1000 * (heard - np.array(sent))
    print(f"{late.size} news to {len(phones)} phones at {len(pages)} processes, ms:")
    print("  ".join(f"p{part} {np.percentile(late, part):.0f}" for part in (50, 95, 99, 100)))


if __name__ == "__main__":
    main()
