"""The live referee's settings fit together and keep what the documents promise of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.live.doubles import SETTLED
from vision.live.settings import LiveConfig

CONFIG = LiveConfig()


def problems(config: LiveConfig) -> list[str]:
    """List the settings that contradict each other or break a promise."""
    shares = {
        "cell_share": config.cell_share,
        "unsure": config.unsure,
        "share_of_looks": config.share_of_looks,
        "stirred": config.stirred,
        "moved_camera": config.moved_camera,
        "beside": config.beside,
    }
    holds = {
        **{f"{name} lies between 0 and 1": 0 < share < 1 for name, share in shares.items()},
        "cells fill the small picture": config.small_side % config.cell == 0,
        "sensor noise of 8 levels is no change": config.difference > 8,
        "motion shows between frames a tenth of a second apart": 0 < config.anchor <= 0.1,
        "a tile is told in time": 0 < config.calm + 2 * config.looks * config.interval < SETTLED,
        "so is one looked at longer": 0 < config.calm + config.second_thoughts < SETTLED,
        "so is one that is found now and then": 0 < config.calm + config.patience < SETTLED,
        "looks follow faster while something is decided": 0 < config.interval < config.calm,
        "and last until it is": config.eager > SETTLED,
        "at rest they are rarer": config.interval < config.slow_interval < config.calm * 2,
        "a thing is known sooner than a hand": 0 < config.thing_rest < config.hand_rest,
        "which is let go sooner than one at work": config.hand_rest < 2 < config.hold,
        "and that sooner than a shadow": config.hold < config.pale_hold,
        "a small thing holds up less than a hand": config.thing_rest < config.small_hold < 2,
        "what came with it is looked for as long": 0 < config.second_look <= config.small_hold,
        "a hand is larger than an arm": config.hand_area > 2 * config.arm_area,
        "an arm is larger than a tile, a thing not": config.arm_area > 1 > config.thing_area > 0,
        "two tiles in one place overlap": 0 < config.same_place < 0.5,
        "a lost tile shows more than one to read again": config.stirred < config.faded,
        "a faded one shows less than a lost one": config.faded < config.uncovered < 0.5,
        "and lost its pattern more surely": 0 < config.no_pattern < config.same_pattern,
        "what lay there all along kept it best": config.same_pattern < config.same_face < 1,
        "a face is unlikely, sure, or surer": 0 < config.possible < 0.1 < 0.5 < config.sure,
        "a new tile must be surest": config.sure < config.unsure,
        "most looks find a tile": config.share_of_looks > 0.5,
        "two tiles are left alone after the second could come": (
            0 < config.laid_together < config.left_alone
        ),
    }
    return [name for name, is_so in holds.items() if not is_so]


def test_the_settings_fit_together() -> None:
    assert problems(CONFIG) == []


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"cell": 7}, "cells fill the small picture"),
        ({"calm": 1.3}, "a tile is told in time"),
        ({"same_face": 0.6}, "what lay there all along kept it best"),
    ],
)
def test_settings_that_do_not_fit_are_found(changed: dict[str, float], problem: str) -> None:
    assert problem in problems(replace(CONFIG, **changed))  # type: ignore[arg-type]
