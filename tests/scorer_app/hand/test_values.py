"""The values of a hand never change once they are made, since threads of several devices share
them.
"""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import scorer_app.hand


def dataclasses_of_the_room() -> Iterator[type]:
    for module in pkgutil.iter_modules(scorer_app.hand.__path__, "scorer_app.hand."):
        for found in vars(importlib.import_module(module.name)).values():
            is_own = isinstance(found, type) and found.__module__ == module.name
            if is_own and dataclasses.is_dataclass(found):
                yield found


@pytest.mark.parametrize("kind", list(dataclasses_of_the_room()), ids=lambda kind: kind.__name__)
def test_every_value_of_the_room_is_frozen(kind: type) -> None:
    fields = dataclasses.fields(kind)
    value = object.__new__(kind)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, fields[0].name if fields else "anything", None)
