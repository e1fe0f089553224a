"""The names of devices in the history of a match."""

from __future__ import annotations

from flask import Flask

from scorer_app.web.devices import device_name

PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)"


def test_phones_that_nobody_named_are_told_apart(app: Flask) -> None:
    """More than a hundred of them, at least, have a name that no other one has."""
    names = []
    for _ in range(150):
        with app.test_request_context(headers={"User-Agent": PHONE}):
            names.append(device_name())
            assert device_name() == names[-1]
    assert all(name.startswith("iPhone ") for name in names)
    assert len(set(names)) > 100
