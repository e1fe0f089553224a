"""A photograph is read with a set that its owner taught."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import vision
from engine.tiles import FACES, Tile
from tests.places import SAMPLES, SCENES
from vision.frame import Frame, load
from vision.own_set.discriminant import Discriminant
from vision.own_set.examples import FaceExample, TileSet
from vision.own_set.knowledge import AFTER_ALL, OwnSet
from vision.own_set.prototypes import Prototypes
from vision.pyramid import Pyramid
from vision.reader import JOKER, NUMBER_CLASSES, UNREADABLE, FaceScores, face_scores
from vision.reading import Notice, TableReading
from vision.tiles.pipeline import TableReader

from . import taught_samples
from .taught_samples import RIVAL


@pytest.fixture
def untaught() -> TableReading:
    return taught_samples.untaught()


@pytest.fixture
def ours() -> TableReader:
    return taught_samples.ours()


@pytest.fixture
def rival() -> TableReader:
    return taught_samples.rival()


def known_to(reader: TableReader) -> OwnSet:
    assert reader.own_set is not None
    return reader.own_set


def test_a_set_that_looks_as_any_other_is_read_as_before(
    untaught: TableReading, ours: TableReader
) -> None:
    taught = ours.read(SAMPLES / "melds-a.jpg")
    assert Counter(tile.tile for tile in taught.tiles) == Counter(t.tile for t in untaught.tiles)
    assert not any(tile.doubtful for tile in taught.tiles)


def test_what_the_owner_calls_a_face_counts(untaught: TableReading, rival: TableReader) -> None:
    """The owner calls blue what any reader would call red, and so it is read, by
    features and inks.
    """
    taught = rival.read(SAMPLES / "melds-a.jpg", layout="loose")
    renamed = [
        tile.tile and (str(tile.tile)[:-1] + RIVAL.get(str(tile.tile)[-1], str(tile.tile)[-1]))
        for tile in untaught.tiles
    ]
    assert len(taught.tiles) == len(untaught.tiles)
    middles = np.stack([tile.corners.mean(axis=0) for tile in taught.tiles])
    nearest = [
        int(np.linalg.norm(middles - tile.corners.mean(axis=0), axis=1).argmin())
        for tile in untaught.tiles
    ]
    told = [str(taught.tiles[at].tile) for at in nearest]
    assert sum(a == b for a, b in zip(told, renamed, strict=True)) >= 0.95 * len(told)


def test_a_set_that_the_usual_networks_cannot_read_has_others(
    ours: TableReader, rival: TableReader
) -> None:
    usual = vision.open_reader()
    assert (ours.detector, ours.reader) == (usual.detector, usual.reader)
    assert (rival.detector, rival.reader) == usual.odd_networks()
    assert rival.reader.fingerprint != usual.reader.fingerprint


@pytest.mark.usefixtures("rival")
def test_the_plain_reader_learns_nothing(untaught: TableReading) -> None:
    again = vision.open_reader().read(SAMPLES / "melds-a.jpg")
    assert [str(tile.tile) for tile in again.tiles] == [str(tile.tile) for tile in untaught.tiles]


def test_too_few_faces_are_refused() -> None:
    seven = FaceExample("7R", np.full((64, 48, 3), 200, np.uint8))
    for few in ((), (seven,)):
        with pytest.raises(ValueError, match="at least two numbers"):
            OwnSet.of(TileSet("ours", few), vision.open_reader().reader)


@pytest.mark.pictures
def test_a_table_of_another_set_is_told_and_read_without_the_chosen_one(ours: TableReader) -> None:
    plain, knowing = vision.open_reader(), ours
    same = knowing.read(SAMPLES / "melds-b.jpg")
    assert Notice.OTHER_SET not in same.notices
    for name in ("top_down.jpg", "upside_down.jpg", "touching.jpg"):
        other, expected = knowing.read(SCENES / name), plain.read(SCENES / name)
        assert Notice.OTHER_SET in other.notices
        assert [tile.tile for tile in other.tiles] == [tile.tile for tile in expected.tiles]


@pytest.mark.pictures
def test_a_set_with_other_networks_leaves_tables_of_other_sets_to_the_usual_ones(
    rival: TableReader,
) -> None:
    picture = SCENES / "top_down.jpg"
    told, usual = rival.read(picture), vision.open_reader().read(picture)
    assert Notice.OTHER_SET in told.notices
    assert told.notices[1:] == usual.notices
    assert [(tile.tile, tile.confidence, tile.corners.tolist()) for tile in told.tiles] == [
        (tile.tile, tile.confidence, tile.corners.tolist()) for tile in usual.tiles
    ]


def test_tiles_a_little_strange_to_a_set_of_odd_inks_may_be_of_it_after_all(
    rival: TableReader, ours: TableReader
) -> None:
    """The set calls each ink otherwise than the network does. In a bad light its own tiles, taken
    for another set's, had wrong colours without a doubt.
    """
    frame = load(SAMPLES / "melds-a.jpg")
    tiles = [tile for tile in taught_samples.untaught().tiles if tile.tile and tile.tile.colour]
    quads = np.stack([tile.corners for tile in tiles]).astype(np.float32)
    scores = rival.reader.read(frame.pixels, (quads + 0.5) / np.float32(frame.scale) - 0.5)
    faces = face_scores(scores.number, scores.colour)
    seen = known_to(rival).perhaps_coloured(faces, scores)
    for tile, before, after in zip(tiles, faces, seen, strict=True):
        assert tile.tile is not None
        own = Tile(tile.tile.number, RIVAL[str(tile.tile.colour)])
        assert FACES[after.argmax()] == FACES[before.argmax()] == tile.tile
        assert np.exp(after[FACES.index(own)]) == pytest.approx(AFTER_ALL, abs=0.02)
    strange = replace(scores, features=scores.features[:, ::-1].copy())
    assert known_to(rival).perhaps_coloured(faces, strange) is faces
    assert known_to(rival).perhaps_coloured(faces[:0], scores.take(np.arange(0))).shape == (0, 53)


@pytest.mark.parametrize(
    ("illegible", "strange", "believed"),
    [(0.0, 1.4, True), (0.0, 30.0, False), (0.03, 20.0, True), (0.03, 30.0, False)],
)
def test_what_can_hardly_be_read_may_look_strange(
    untaught: TableReading, ours: TableReader, illegible: float, strange: float, believed: bool
) -> None:
    """A set counts as the one on the table though its faces look strange, if they are hardly
    legible: in dim, soft photographs one's own set was taken for another.
    """
    reader, frame = vision.open_reader(), load(SAMPLES / "melds-a.jpg")
    own_set = known_to(ours)
    quads = np.stack([tile.corners for tile in untaught.tiles]).astype(np.float32)
    seen = reader.reader.read(frame.pixels, (quads + 0.5) / np.float32(frame.scale) - 0.5)
    numbers = np.full_like(seen.number, np.log(1e-9))
    numbers[:, 0], numbers[:, UNREADABLE] = np.log(1 - illegible), np.log(max(illegible, 1e-9))
    means = np.zeros_like(own_set.prototypes.numbers.means[:1])
    at = Discriminant(np.zeros((seen.features.shape[1], means.shape[1]), np.float32), means, 1.0)
    far = replace(at, means=means + np.sqrt(strange / means.shape[1]))
    known = replace(own_set, prototypes=replace(own_set.prototypes, numbers=far))
    everything = np.ones(len(seen), bool)
    assert known.is_on_table(replace(seen, number=numbers), everything) is believed


def test_a_set_with_the_same_numbers_is_not_said_to_be_another_one(
    untaught: TableReading, ours: TableReader
) -> None:
    """Tiles of the chosen set may look strange to the network in a poor photograph."""
    reader, frame = vision.open_reader().reader, load(SAMPLES / "melds-a.jpg")
    own_set = known_to(ours)
    quads = np.stack([tile.corners for tile in untaught.tiles]).astype(np.float32)
    seen = reader.read(frame.pixels, (quads + 0.5) / np.float32(frame.scale) - 0.5)
    assert not own_set.has_other_numbers(seen)
    mirrored = replace(seen, crops=np.ascontiguousarray(seen.crops[:, :, ::-1]))
    assert own_set.has_other_numbers(mirrored)
    assert not own_set.has_other_numbers(seen.take(np.arange(3)))
    unread = replace(own_set, prototypes=replace(own_set.prototypes, trust=0.9))
    assert unread.has_other_numbers(seen)


def test_few_tiles_are_believed_to_be_of_the_chosen_set(ours: TableReader) -> None:
    blank = np.full((300, 400, 3), 120, np.uint8)
    assert Notice.OTHER_SET not in ours.read(Frame.of(blank)).notices


@pytest.mark.pictures
@pytest.mark.parametrize(
    "taught", [lambda face: face[-1] in "RB", lambda face: face == "J" or int(face[:-1]) <= 7]
)
def test_what_was_not_taught_of_a_set_is_not_taken_for_another_set(
    taught: Callable[[str], bool],
) -> None:
    """Half of its tiles look like nothing that was taught, even in the picture that taught it."""
    examples = [one for one in taught_samples.examples({}) if taught(one.face)]
    knowing = vision.open_reader().with_set(TileSet("ours").with_examples(examples))
    for name in ("melds-a.jpg", "melds-b.jpg"):
        assert Notice.OTHER_SET not in knowing.read(SAMPLES / name).notices


@pytest.mark.parametrize(("faces", "believed"), [(13, True), (10, True), (4, False)])
def test_a_set_of_which_one_row_is_taught_is_read_with(
    untaught: TableReading, faces: int, believed: bool
) -> None:
    """Here the tiles of a whole table are those of another set."""
    crops = [one.crop for one in taught_samples.examples({})]
    row = [FaceExample(f"{1 + at}R", np.roll(crops[at], 9, 1)) for at in range(faces)]
    own_set = OwnSet.of(TileSet("ours", tuple(row)), vision.open_reader().reader)
    frame = load(SAMPLES / "melds-a.jpg")
    quads = np.stack([tile.corners for tile in untaught.tiles]).astype(np.float32)
    seen = vision.open_reader().reader.read(frame.pixels, (quads + 0.5) / np.float32(frame.scale))
    assert own_set.is_on_table(seen, np.ones(len(seen), bool)) is believed


def test_faces_seen_on_their_side_are_turned_upright(
    untaught: TableReading, ours: TableReader
) -> None:
    """The network reads a number that lies on its side; prototypes, all upright, do not know it."""
    reader, frame = vision.open_reader().reader, load(SAMPLES / "melds-a.jpg")
    own_set = known_to(ours)
    jokers = [i for i, tile in enumerate(untaught.tiles) if tile.tile and tile.tile.joker]
    on_side = sorted({*jokers[:1], *range(3, 24, 4)})
    assert jokers
    corners = np.stack([tile.corners for tile in untaught.tiles])
    quads = ((corners + 0.5) / np.float32(frame.scale) - 0.5).astype(np.float32)
    upright = own_set.compared(reader, frame.pixels, reader.look(Pyramid(frame.pixels), quads))
    quads[on_side] = np.roll(quads[on_side], 1, axis=1)
    lying = reader.look(Pyramid(frame.pixels), quads)
    seen = own_set.compared(reader, frame.pixels, lying)
    np.testing.assert_array_equal(seen.number.argmax(axis=1), upright.number.argmax(axis=1))
    np.testing.assert_allclose(seen.quads, upright.quads, atol=1e-3)


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_comodin_is_known_in_every_direction_without_a_second_look(
    untaught: TableReading, ours: TableReader, quarters: int
) -> None:
    """The network is not asked again here: the prototypes alone know it, however it lies."""
    reader, frame = vision.open_reader().reader, load(SAMPLES / "melds-a.jpg")
    prototypes = known_to(ours).prototypes
    (joker, *_) = (tile for tile in untaught.tiles if tile.tile and tile.tile.joker)
    quad = ((joker.corners + 0.5) / np.float32(frame.scale) - 0.5).astype(np.float32)
    lying = reader.look(Pyramid(frame.pixels), np.roll(quad, quarters, axis=0)[None])
    silent = np.zeros_like(lying.number)  # a network that knows nothing of numbers
    scores = prototypes.number_scores(replace(lying, number=silent))
    assert scores.argmax() == JOKER
    assert np.exp(scores.max()) > 0.9


def test_a_face_between_a_number_and_the_comodin_is_the_number(
    untaught: TableReading, ours: TableReader
) -> None:
    """A number is likelier beforehand: each has eight tiles, the comodín two, and a comodín lies in
    any of four directions.
    """
    prototypes, seen, _ = looked_at(untaught, ours)
    one = replace(seen.take(np.arange(1)), features=np.array([[1.0, 0.0]], np.float32))
    means = np.tile(np.array([-1.0, 0.0], np.float32), (len(NUMBER_CLASSES) + 3, 1))
    means[6], means[JOKER] = (1.0, 0.3), (1.0, -0.3)
    between = replace(prototypes.numbers, projection=np.eye(2, dtype=np.float32), means=means)
    alone = replace(prototypes, numbers=between, trust=0.0, soft=None)
    told = np.exp(alone.number_scores(one)[0])
    assert told.argmax() == 6
    assert told[6] / told[JOKER] == pytest.approx(16)


def test_a_network_that_reads_the_set_is_not_outvoted(
    untaught: TableReading, ours: TableReader
) -> None:
    """In a photograph too poor for them, prototypes can be wrong and certain while the network is
    right.
    """
    reader, frame = vision.open_reader().reader, load(SAMPLES / "melds-a.jpg")
    prototypes = known_to(ours).prototypes
    quads = np.stack([tile.corners for tile in untaught.tiles]).astype(np.float32)
    seen = reader.look(Pyramid(frame.pixels), (quads + 0.5) / np.float32(frame.scale) - 0.5)
    number = prototypes.number_scores(seen).argmax(axis=1)
    asked = np.flatnonzero(number < JOKER)
    rival = (number + 1) % JOKER
    other = np.full_like(seen.number, np.log(1e-5))
    other[asked, rival[asked]] = np.log(0.9999)
    told = {
        trust: replace(prototypes, trust=trust).number_scores(replace(seen, number=other))
        for trust in (0.0, 1.0)
    }
    np.testing.assert_array_equal(told[1.0].argmax(axis=1)[asked], rival[asked])
    np.testing.assert_array_equal(told[0.0].argmax(axis=1)[asked], number[asked])


def test_prototypes_say_less_of_faces_that_are_unlike_all_of_them(
    untaught: TableReading, ours: TableReader
) -> None:
    prototypes, seen, right = looked_at(untaught, ours)
    torn = np.full_like(seen.number, -30.0)  # a network between two numbers
    torn[np.arange(len(right)), right] = torn[np.arange(len(right)), (right + 1) % JOKER] = -0.7
    alike = replace(seen, number=torn)
    unlike = replace(alike, features=-seen.features)
    trusted = replace(prototypes, trust=1.0)
    assert (np.exp(trusted.number_scores(alike)[np.arange(len(right)), right]) > 0.9).all()
    assert (prototypes.numbers.strangeness(unlike.features) > 10).all()
    assert (np.exp(trusted.number_scores(unlike).max(axis=1)) < 0.7).all()


def test_a_find_that_shows_a_taught_face_is_surer_to_be_a_tile(
    untaught: TableReading, ours: TableReader
) -> None:
    prototypes, seen, _ = looked_at(untaught, ours)
    by_detector = np.linspace(0.1, 0.9, len(seen)).astype(np.float32)
    surer = prototypes.tile_scores(by_detector, seen)
    assert ((surer > by_detector) & (surer < 1)).all()
    unlike = replace(seen, features=-seen.features)
    np.testing.assert_allclose(prototypes.tile_scores(by_detector, unlike), by_detector, rtol=1e-5)


def looked_at(
    untaught: TableReading, ours: TableReader
) -> tuple[Prototypes, FaceScores, NDArray[np.intp]]:
    """Return the set's prototypes, what the network sees of the sample's numbered tiles, and their
    true numbers, counted from 0.
    """
    numbered = [tile for tile in untaught.tiles if tile.tile and tile.tile.number]
    quads = np.stack([tile.corners for tile in numbered]).astype(np.float32)
    frame = load(SAMPLES / "melds-a.jpg")
    quads = (quads + 0.5) / np.float32(frame.scale) - 0.5
    seen = vision.open_reader().reader.look(Pyramid(frame.pixels), quads)
    right = [(tile.tile.number or 0) - 1 for tile in numbered if tile.tile]
    return known_to(ours).prototypes, seen, np.array(right)
