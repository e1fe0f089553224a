"""Draws things with digits on them that are no tiles: cards, score sheets, receipts, calendars,
keyboards, telephones, boxes. A picture is (h, w, 3) RGB.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.faces.fonts import number, typefaces, word
from datasets.pixels import resized, shares
from datasets.scene.bank import FaceBank
from datasets.scene.surfaces import any_colour, photo_crop, photographs

Picture = NDArray[np.uint8]
Colour = tuple[float, float, float]
INKS: tuple[Colour, ...] = ((30, 30, 34), (190, 30, 40), (30, 70, 170), (40, 40, 120))


def write(
    picture: Picture, text: str, at: tuple[float, float], height: float, colour: Colour, stem: str
) -> None:
    """Draw printed digits and letters onto a picture, in place, centred at `at` (px) and `height`
    px high, in the typeface with the file stem `stem`.

    What falls outside the picture is cut off.
    """
    if not text.strip():
        return
    mask = _word(stem, text)
    h = max(2, round(height))
    w = max(2, round(mask.shape[1] * h / mask.shape[0]))
    stamp(picture, resized(mask, (w, h)), at, colour)


@lru_cache(maxsize=600)
def _word(stem: str, text: str) -> Picture:
    return number(stem, text, 0.05) if text.isdigit() else word(stem, text)


def stamp(picture: Picture, mask: Picture, at: tuple[float, float], colour: Colour) -> None:
    """Lay ink onto a picture, in place, through a mask, (h, w) 0..255, centred at `at` (px). What
    falls outside the picture is cut off.
    """
    h, w = mask.shape
    x, y = round(at[0] - w / 2), round(at[1] - h / 2)
    x0 = max(x, 0)
    y0 = max(y, 0)
    x1 = min(x + w, picture.shape[1])
    y1 = min(y + h, picture.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    share = shares(mask[y0 - y : y1 - y, x0 - x : x1 - x, None])
    region = picture[y0:y1, x0:x1]
    region[:] = region * (1 - share) + np.asarray(colour, np.float32) * share


def blank(width: int, height: int, colour: Colour | NDArray[np.float64]) -> Picture:
    return np.full((height, width, 3), np.asarray(colour), np.uint8)


def any_stem(rng: np.random.Generator) -> str:
    faces = typefaces()
    return faces[int(rng.integers(len(faces)))].stem


def card(rng: np.random.Generator) -> Picture:
    """Draw a playing card, 57 x 88 mm: a face with index and pips, or a patterned back."""
    picture = blank(171, 264, (248, 247, 243))
    if rng.random() < 0.3:
        return _card_back(rng, picture)
    stem, colour = any_stem(rng), INKS[int(rng.integers(2))]
    rank = str(rng.choice([*map(str, range(2, 11)), "A", "J", "Q", "K"]))
    suit = _pip(int(rng.integers(4)))
    for turned in range(2):
        write(picture, rank, (20, 28), 32, colour, stem)
        stamp(picture, resized(suit, (22, 22)), (20, 62), colour)
        for row in range(1 + int(rng.integers(3))):
            for x in (60, 111):
                stamp(picture, resized(suit, (34, 34)), (x, 50 + 38 * row), colour)
        picture = np.ascontiguousarray(picture[::-1, ::-1]) if turned == 0 else picture
    return picture


def _card_back(rng: np.random.Generator, picture: Picture) -> Picture:
    colour = any_colour(rng, (0.5, 0.9), (0.3, 0.8))
    picture[10:-10, 10:-10] = colour
    step = int(rng.integers(6, 14))
    picture[10:-10:step, 10:-10] = colour * 0.5 + 127
    picture[10:-10, 10:-10:step] = colour * 0.5 + 127
    return picture


def _pip(suit: int) -> Picture:
    """Draw a suit, 0 heart, 1 diamond, 2 club or 3 spade, as a mask: (64, 64), 0..255."""
    mask = np.zeros((64, 64), np.uint8)
    if suit == 1:
        cv2.fillConvexPoly(mask, np.array([[32, 2], [58, 32], [32, 62], [6, 32]]), 255)
        return mask
    if suit == 2:
        for centre in ((32, 17), (17, 37), (47, 37)):
            cv2.circle(mask, centre, 14, 255, -1)
    else:
        cv2.circle(mask, (18, 22), 15, 255, -1)
        cv2.circle(mask, (46, 22), 15, 255, -1)
        cv2.fillConvexPoly(mask, np.array([[4, 27], [60, 27], [32, 60]]), 255)
        mask = mask if suit == 0 else np.ascontiguousarray(mask[::-1])
    if suit > 1:
        cv2.fillConvexPoly(mask, np.array([[32, 30], [42, 63], [22, 63]]), 255)
    return mask


def score_sheet(rng: np.random.Generator) -> Picture:
    """Draw a pad with columns of figures written by hand, each below a name."""
    width, height = int(rng.integers(200, 330)), int(rng.integers(280, 460))
    picture = blank(width, height, any_colour(rng, (0, 0.12), (0.85, 1.0)))
    step = int(rng.integers(18, 32))
    _rule(rng, picture, step)
    columns = int(rng.integers(1, 5))
    ink, size = INKS[int(rng.choice([0, 2, 3, 1], p=[0.4, 0.3, 0.2, 0.1]))], rng.uniform(0.6, 1.1)
    for column in range(columns):
        x = int((column + 0.2) * width / columns)
        name = str(rng.choice(["Ana", "NOS", "ELLOS", "Leo", "Mia", "Juan"]))
        script = cv2.FONT_HERSHEY_SCRIPT_SIMPLEX
        cv2.putText(picture, name, (x, step - 4), script, size * 0.7, ink, 1, cv2.LINE_AA)
        for row in range(2, int(rng.integers(3, max(4, height // step)))):
            figure = str(int(rng.choice([5, 10, 15, 20]) * rng.integers(1, 60)))
            _scribble(rng, picture, figure, (x, row * step - 3), size, ink)
    return picture


def _rule(rng: np.random.Generator, picture: Picture, step: int) -> None:
    """Draw the lines of ruled or squared paper, `step` pixels apart, in place; or by chance leave
    the paper blank.
    """
    line = (170, 190, 215) if rng.random() < 0.5 else (200, 200, 200)
    if rng.random() < 0.7:
        picture[step::step] = line
    if rng.random() < 0.4:
        picture[:, step::step] = line


def _scribble(
    rng: np.random.Generator,
    picture: Picture,
    text: str,
    at: tuple[int, int],
    size: float,
    ink: Colour,
) -> None:
    """Write figures by hand onto a picture, in place. The first stands at `at`, x and y of its
    lower left corner in px. The figures differ a little in size and height above the line; with a
    `size` of 1 they are some 10 to 20 px high.
    """
    x, y = at
    for letter in text:
        font = int(
            rng.choice(
                [
                    cv2.FONT_HERSHEY_SCRIPT_SIMPLEX,
                    cv2.FONT_HERSHEY_SIMPLEX,
                    cv2.FONT_HERSHEY_COMPLEX_SMALL,
                ]
            )
        )
        scale = float(size * rng.uniform(0.55, 0.75))
        cv2.putText(
            picture,
            letter,
            (x, y + int(rng.integers(-2, 3))),
            font,
            scale,
            ink,
            int(rng.integers(1, 3)),
            cv2.LINE_AA,
        )
        x += int(20 * scale)


def printed_page(rng: np.random.Generator) -> Picture:
    """Draw a receipt, a page of a book or a form: lines of small print, some of them figures."""
    width, height = int(rng.integers(160, 320)), int(rng.integers(260, 480))
    picture = blank(width, height, any_colour(rng, (0, 0.08), (0.85, 1.0)))
    stem, size = any_stem(rng), int(rng.integers(8, 18))
    for y in range(2 * size, height - size, int(size * rng.uniform(1.4, 2.2))):
        if rng.random() < 0.6:
            end = int(width * rng.uniform(0.4, 0.75))
            for x in range(14, end, int(size * rng.uniform(2, 4))):
                cv2.line(
                    picture,
                    (x, y),
                    (min(x + int(size * rng.uniform(1, 3)), end), y),
                    (90, 90, 95),
                    max(1, size // 3),
                )
        write(picture, f"{rng.integers(1, 9999)}", (width - 40, y), size, (40, 40, 44), stem)
    return picture


def calendar(rng: np.random.Generator) -> Picture:
    """Draw a month: 1 to 31 in a grid, the first column in red."""
    picture = blank(350, 300, (250, 250, 248))
    stem, first = any_stem(rng), int(rng.integers(7))
    picture[:44] = any_colour(rng, (0.3, 0.9), (0.3, 0.8))
    for day in range(31):
        column, row = (day + first) % 7, (day + first) // 7
        colour = INKS[1] if column == 0 else INKS[0]
        write(picture, str(day + 1), (28 + 49 * column, 66 + 40 * row), 20, colour, stem)
    return picture


def keys(rng: np.random.Generator, columns: int, rows: int, labels: str, dark: bool) -> Picture:
    """Draw a field of keys, as of a keyboard, calculator or telephone. Each bears the next
    character of `labels`, row by row; `dark` keys are black or grey with pale characters.
    """
    size = 52
    body = rng.uniform(20, 60) if dark else rng.uniform(150, 235)
    key = body + 18 if dark else min(255, body + rng.uniform(-60, 25))
    picture = blank(columns * size + 12, rows * size + 12, (body, body, body + 2))
    stem = any_stem(rng)
    ink = (225, 225, 225) if key < 110 else (35, 35, 40)
    for row in range(rows):
        shift = int(row * 0.25 * size) if columns > 6 else 0
        for column in range(columns):
            x, y = column * size + 10 + shift % size, row * size + 10
            cv2.rectangle(picture, (x, y), (x + size - 9, y + size - 9), (key,) * 3, -1)
            letter = labels[(row * columns + column) % len(labels)]
            write(picture, letter, (x + 21, y + 20), 21, ink, stem)
    return picture


def keyboard(rng: np.random.Generator) -> Picture:
    return keys(
        rng, 12, 4, "1234567890-=QWERTYUIOP[]ASDFGHJKL;'\\ZXCVBNM,./ ", bool(rng.random() < 0.6)
    )


def calculator(rng: np.random.Generator) -> Picture:
    """Draw a calculator, or a telephone's screen that shows one."""
    picture = keys(rng, 4, 5, "789/456x123-0.=+C%MR", bool(rng.random() < 0.6))
    screen = blank(picture.shape[1], 110, (195, 208, 190) if rng.random() < 0.5 else (18, 18, 20))
    ink = (20, 24, 20) if screen.mean() > 100 else (240, 240, 240)
    write(
        screen, str(rng.integers(1, 99999)), (picture.shape[1] * 0.65, 60), 56, ink, any_stem(rng)
    )
    return np.vstack([screen, picture])


def domino(rng: np.random.Generator) -> Picture:
    ivory = rng.random() < 0.6
    picture = blank(80, 160, (238, 232, 215) if ivory else (28, 28, 30))
    ink = (30, 30, 30) if ivory else (235, 235, 235)
    cv2.line(picture, (8, 80), (72, 80), ink, 2)
    for top in (0, 80):
        _pips(picture, int(rng.integers(7)), (40, top + 40), 22, 7, ink)
    return picture


def die(rng: np.random.Generator) -> Picture:
    picture = blank(
        60, 60, (245, 243, 238) if rng.random() < 0.6 else any_colour(rng, (0.5, 1), (0.3, 0.9))
    )
    _pips(
        picture,
        int(rng.integers(1, 7)),
        (30, 30),
        16,
        6,
        (30, 30, 30) if picture.mean() > 150 else (240, 240, 240),
    )
    return picture


def _pips(
    picture: Picture, count: int, middle: tuple[int, int], step: int, radius: int, ink: Colour
) -> None:
    places = {1: "c", 2: "ai", 3: "aci", 4: "agbi", 5: "agbic", 6: "agbidf"}.get(count, "")
    where = {
        "a": (-1, -1),
        "b": (1, -1),
        "c": (0, 0),
        "d": (-1, 0),
        "f": (1, 0),
        "g": (-1, 1),
        "i": (1, 1),
    }
    for place in places:
        dx, dy = where[place]
        cv2.circle(
            picture, (middle[0] + dx * step, middle[1] + dy * step), radius, ink, -1, cv2.LINE_AA
        )


def game_box(rng: np.random.Generator, bank: FaceBank) -> Picture:
    """Draw the lid of a game's box, with a title and printed pictures of tiles out of `bank`, which
    are not to be read as tiles.
    """
    picture = photo_crop(rng) if photographs() and rng.random() < 0.4 else None
    picture = (
        blank(520, 400, any_colour(rng, (0.3, 0.95), (0.2, 0.9)))
        if picture is None
        else picture[:400, :520].copy()
    )
    title = str(rng.choice(["BURAKO", "RUMMY", "OKEY", "BURACO"]))
    cv2.putText(
        picture, title, (40, 110), cv2.FONT_HERSHEY_TRIPLEX, 3, (250, 240, 90), 6, cv2.LINE_AA
    )
    size = int(rng.integers(40, 110))
    for _ in range(int(rng.integers(3, 9))):
        tile = f"{rng.integers(1, 14)}{'RBKY'[rng.integers(4)]}"
        face = bank.texture(tile).rgba
        small = resized(face, (size, int(size * face.shape[0] / face.shape[1])))
        angle = float(rng.uniform(-40, 40))
        centre = (float(rng.uniform(50, 470)), float(rng.uniform(150, 370)))
        matrix = cv2.getRotationMatrix2D((small.shape[1] / 2, small.shape[0] / 2), angle, 1.0)
        matrix[:, 2] += np.array(centre) - (small.shape[1] / 2, small.shape[0] / 2)
        placed = cv2.warpAffine(small, matrix, picture.shape[1::-1])
        keep = 255 - cv2.merge([placed[..., 3]] * 3)
        picture = np.asarray(
            cv2.add(cv2.multiply(picture, keep, scale=1 / 255), placed[..., :3]), np.uint8
        )
    return picture


def disc(rings: list[tuple[float, Colour]], side: int = 200) -> tuple[Picture, Picture]:
    """Draw concentric discs, each given as (share of the radius, colour), the outermost first.

    Returns the picture, (side, side, 3) RGB, and the mask that cuts it out, (side, side) 0..255.
    """
    picture, mask = blank(side, side, rings[0][1]), np.zeros((side, side), np.uint8)
    for share, colour in rings:
        cv2.circle(
            picture, (side * 8 - 8, side * 8 - 8), int(share * side * 8), colour, -1, cv2.LINE_AA, 4
        )
    cv2.circle(mask, (side * 8 - 8, side * 8 - 8), side * 8, 255, -1, cv2.LINE_AA, 4)
    return picture, mask
