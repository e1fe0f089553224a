"""A set as one file: it is imported as it was exported, and no stranger's file does any harm."""

from __future__ import annotations

import base64
import io
import json
import struct
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from scorer_app.services.face_pictures import MOST_BYTES as MOST_PICTURE_BYTES
from scorer_app.services.face_pictures import from_png, to_png
from scorer_app.services.set_files import (
    MOST_BYTES,
    MOST_EXAMPLES,
    export_set,
    file_name,
    import_set,
    read_set_file,
)
from scorer_app.services.set_values import SetError, SetTrouble
from vision.own_set.examples import FACE_NAMES, MAX_PER_FACE, FaceExample, Origin, TileSet

from ...examples import examples
from ..own_sets import drawn_crop, example, tile_set

SMALL = tile_set("Casa", ["7R", "J"])


WHOLE = export_set(SMALL)


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("La de Mamá 2", "burako-set-la-de-mama-2.json"),
        ("Öl - ß", "burako-set-ol-ss.json"),
        ("казино", "burako-set.json"),
        ("٣ 5", "burako-set-5.json"),
    ],
)
def test_the_file_of_a_set_is_named_after_it_in_plain_letters(name: str, file: str) -> None:
    assert file_name(name) == file


def as_json() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(WHOLE)
    return data


def refused(data: bytes) -> SetTrouble:
    with pytest.raises(SetError) as raised:
        import_set(data)
    return raised.value.reason


def picture(mode: str = "RGB", size: tuple[int, int] = (48, 64), **options: Any) -> str:
    file = io.BytesIO()
    Image.new(mode, size).save(file, options.pop("format", "PNG"), **options)
    return base64.b64encode(file.getvalue()).decode()


@given(
    seed=st.integers(0, 2**32 - 1),
    faces=st.lists(st.sampled_from(FACE_NAMES), min_size=1, max_size=6, unique=True),
    origin=st.sampled_from(Origin),
)
@settings(max_examples=examples(20))
def test_a_set_comes_back_as_it_went(seed: int, faces: list[str], origin: Origin) -> None:
    chance = np.random.default_rng(seed)
    crops = chance.integers(0, 256, (len(faces), 64, 48, 3), np.uint8)
    given_set = TileSet(
        "El de Ñata 2",
        tuple(FaceExample(face, crop, origin) for face, crop in zip(faces, crops, strict=True)),
    )
    back = import_set(export_set(given_set))
    assert back.name == given_set.name
    for one, other in zip(back.examples, given_set.examples, strict=True):
        assert (one.face, one.origin) == (other.face, other.origin)
        assert np.array_equal(one.crop, other.crop)


def test_lost_tiles_travel_with_the_set_in_a_file_of_the_second_version() -> None:
    taught = tile_set(faces=["7R"])
    whole, mended = export_set(taught), export_set(replace(taught, copies={"7R": 1, "J": 4}))
    assert [json.loads(file)["version"] for file in (whole, mended)] == [1, 2]
    assert (import_set(whole).copies, import_set(mended).copies) == ({}, {"7R": 1, "J": 4})


def test_a_set_without_a_picture_is_not_written() -> None:
    with pytest.raises(SetError) as raised:
        export_set(replace(tile_set(faces=[]), copies={"7R": 1}))
    assert (raised.value.reason, raised.value.what) == (SetTrouble.TOO_FEW, "Casa")


def test_the_largest_set_is_within_the_limits() -> None:
    noise = np.random.default_rng(3).integers(0, 256, (64, 48, 3), np.uint8)
    assert len(to_png(noise)) <= MOST_PICTURE_BYTES
    per_picture = len(export_set(TileSet("x" * 40, (FaceExample("13R", noise),))))
    assert MOST_EXAMPLES * per_picture < MOST_BYTES


@given(data=st.binary(max_size=300))
def test_bytes_of_any_kind_are_refused_in_a_sentence(data: bytes) -> None:
    assert refused(data) is SetTrouble.NOT_A_SET


@given(
    at=st.integers(0, len(WHOLE) - 1),
    put=st.binary(max_size=4),
    cut=st.integers(0, 12),
)
@settings(max_examples=examples(300))
def test_a_damaged_file_is_a_set_or_refused(at: int, put: bytes, cut: int) -> None:
    try:
        found = import_set(WHOLE[:at] + put + WHOLE[at + cut :])
    except SetError:
        return
    assert 0 < len(found.examples) <= 2
    assert all(one.crop.shape == (64, 48, 3) for one in found.examples)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=8,
)


@given(field=st.sampled_from(["format", "version", "name", "examples", "more"]), value=json_values)
def test_a_field_of_another_type_is_refused(field: str, value: object) -> None:
    data = as_json() | {field: value}
    if field == "name" and isinstance(value, str):
        return
    assert refused(json.dumps(data).encode()) in (SetTrouble.NOT_A_SET, SetTrouble.NEWER)


@given(field=st.sampled_from(["face", "origin", "picture", "more"]), value=json_values)
def test_an_entry_of_another_type_is_refused(field: str, value: object) -> None:
    data = as_json()
    data["examples"][1] |= {field: value}
    assert refused(json.dumps(data).encode()) in (SetTrouble.NOT_A_SET, SetTrouble.BAD_PICTURE)


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (as_json() | {"version": 3}, SetTrouble.NEWER),
        (as_json() | {"copies": {"7R": 9}}, SetTrouble.NOT_A_SET),
        (as_json() | {"copies": {"14R": 1}}, SetTrouble.NOT_A_SET),
        (as_json() | {"copies": {"7R": "1"}}, SetTrouble.NOT_A_SET),
        (as_json() | {"format": "burako-match"}, SetTrouble.NOT_A_SET),
        (as_json() | {"name": "../../etc"}, SetTrouble.BAD_NAME_IN_FILE),
        (as_json() | {"examples": []}, SetTrouble.NOT_A_SET),
        (as_json() | {"examples": as_json()["examples"] * 500}, SetTrouble.NOT_A_SET),
        (as_json() | {"examples": as_json()["examples"] * 9}, SetTrouble.TOO_MANY_PICTURES),
    ],
)
def test_each_wrong_file_has_its_own_reason(sent: dict[str, Any], expected: SetTrouble) -> None:
    assert refused(json.dumps(sent).encode()) is expected


@pytest.mark.parametrize("name", ["../../etc", "", "x" * 41, "x" * 300])
def test_a_wrong_name_in_a_file_is_told_as_it_stands_there(name: str) -> None:
    with pytest.raises(SetError) as caught:
        import_set(json.dumps(as_json() | {"name": name}).encode())
    assert (caught.value.reason, caught.value.what) == (SetTrouble.BAD_NAME_IN_FILE, name[:200])


def test_as_many_examples_as_a_set_keeps_are_taken() -> None:
    full = tile_set("Casa", ["7R"], range(MAX_PER_FACE))
    assert import_set(export_set(full)).counts() == {"7R": MAX_PER_FACE}


def test_nested_lists_without_end_are_refused() -> None:
    assert refused(b"[" * 100_000) is SetTrouble.NOT_A_SET
    deep = WHOLE.replace(b'"name"', b'"more": ' + b"[" * 50_000 + b"]" * 50_000 + b', "name"')
    assert refused(deep) is SetTrouble.NOT_A_SET


@pytest.mark.parametrize(
    "make",  # when the test runs: each process that collects it would draw the large one
    [
        partial(picture, size=(49, 64)),
        partial(picture, size=(1, 1)),
        partial(picture, "L"),
        partial(picture, "RGBA"),
        partial(picture, "P"),
        partial(picture, "I;16"),
        partial(picture, format="JPEG"),
        partial(picture, format="GIF"),
        lambda: picture(size=(4000, 4000), compress_level=1)[:16_000],
        str,
    ],
)
def test_pictures_that_are_no_crop_are_refused(make: Callable[[], str]) -> None:
    data = as_json()
    data["examples"][0]["picture"] = make()
    assert refused(json.dumps(data).encode()) is SetTrouble.BAD_PICTURE


def chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def test_a_picture_with_more_than_pixels_is_not_decoded() -> None:
    whole = to_png(drawn_crop("7R"))
    start = 8 + 12 + 13  # behind the signature and the header
    bomb = chunk(b"zTXt", b"note\0\0" + zlib.compress(b"x" * 2_000_000))
    profile = chunk(b"iCCP", b"p\0\0" + zlib.compress(b"y"))
    for odd in (
        whole[:start] + bomb + whole[start:],
        whole[:start] + profile + whole[start:],
        whole + b"trailing",
        whole[:-3],
        whole[:8] + whole[start:],
        whole[:start] + whole[-12:],
        whole.replace(b"IDAT", b"IDAX"),
        whole[:start] + chunk(b"IDAT", zlib.compress(b"\0" * 50)) + whole[-12:],
    ):
        with pytest.raises(ValueError, match="expected"):
            from_png(odd)


def test_pixels_that_go_on_are_decoded_no_further_than_the_picture() -> None:
    whole = to_png(drawn_crop("7R"))
    header, end = whole[: 8 + 12 + 13], whole[-12:]
    too_many = zlib.compress(b"\0" * 5_000_000, 9)
    assert len(too_many) < MOST_PICTURE_BYTES
    try:
        found = from_png(header + chunk(b"IDAT", too_many) + end)
    except ValueError:
        return
    assert found.shape == (64, 48, 3)


def test_a_file_that_is_none_or_too_large_is_told(tmp_path: Path) -> None:
    large = tmp_path / "large.json"
    with large.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    for path, expected in (
        (tmp_path / "gone", SetTrouble.NO_FILE),
        (tmp_path, SetTrouble.NO_FILE),
        (Path("a\0b"), SetTrouble.NO_FILE),
        (large, SetTrouble.TOO_LARGE),
    ):
        with pytest.raises(SetError) as raised:
            read_set_file(path)
        assert raised.value.reason is expected


def test_an_example_of_each_origin_travels() -> None:
    both = TileSet("x", (example("7R"), example("7R", 1, Origin.SETTLED)))
    assert [one.origin for one in import_set(export_set(both)).examples] == ["taught", "settled"]
