"""Types of the options that commands of this folder take, as argparse asks for them."""

from __future__ import annotations

import argparse


def positive(text: str) -> int:
    """Take the text of an option for a whole number from 1 on."""
    return _whole_number(text, 1)


def seed_number(text: str) -> int:
    """Take the text of an option for a seed: random numbers begin from no negative one."""
    return _whole_number(text, 0)


def _whole_number(text: str, least: int) -> int:
    expected = f"expected a whole number from {least} on, got {text!r}"
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(expected) from None
    if number < least:
        raise argparse.ArgumentTypeError(expected)
    return number
