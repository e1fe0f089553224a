"""The networks: dense 3x3 convolutions with batch normalisation.

The normalisation is folded on export, and dense convolutions are the fastest on CPUs without
special kernels. All widths are multiples of 16: channels-last bf16 training on CPUs is fast only
(and in PyTorch 2.13 safe only) for such widths.
"""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn

NUMBERS = 15  # 1..13, comodín, not readable
COLOURS = 4  # R, B, K, Y
TURNS = 4  # upright, and turned by 90, 180, 270 degrees clockwise


def conv(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = conv(width, width)
        self.second = nn.Sequential(
            nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width)
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))


class DetectorNet(nn.Module):
    """Finds tiles: (n, 3, h, w) RGB in 0..1, h and w multiples of 32 -> (n, 9, h/8, w/8), in cells
    of 8 x 8 pixels.

    Channel 0: logit of "the centre of a tile face lies near this cell's centre". Channels 1-8: x, y
    of the four corners (top-left, top-right, bottom-right, bottom-left in the tile's reading
    direction) relative to the cell's centre, in cells. With more than 9 `outputs` the further
    channels are x, y of further points.
    """

    def __init__(self, outputs: int = 9) -> None:
        super().__init__()
        self.stem = nn.Sequential(conv(3, 16, 2), conv(16, 32, 2))
        self.stage8 = nn.Sequential(conv(32, 64, 2), Residual(64))
        self.stage16 = nn.Sequential(conv(64, 96, 2), Residual(96), Residual(96))
        self.stage32 = nn.Sequential(conv(96, 128, 2), Residual(128), Residual(128))
        self.lateral16 = conv(128, 96, kernel=1)
        self.merge16 = conv(96, 96)
        self.lateral8 = conv(96, 64, kernel=1)
        self.merge8 = nn.Sequential(Residual(64))
        self.head = nn.Sequential(conv(64, 64), last := nn.Conv2d(64, outputs, 1))
        nn.init.zeros_(last.weight[1:])
        # Centres are rare: the bias makes the first probabilities about 2 %.
        nn.init.constant_(last.get_parameter("bias")[:1], -4.0)

    def forward(self, x: Tensor) -> Tensor:
        x8 = self.stage8(self.stem(x))
        x16 = self.stage16(x8)
        x32 = self.stage32(x16)
        x16 = self.merge16(x16 + nn.functional.interpolate(self.lateral16(x32), scale_factor=2.0))
        x8 = self.merge8(x8 + nn.functional.interpolate(self.lateral8(x16), scale_factor=2.0))
        output: Tensor = self.head(x8)
        return output


class CardDetectorNet(DetectorNet):
    """Finds the indices of playing cards, as `DetectorNet` finds tiles: (n, 17, h/8, w/8).

    Channel 0 is the logit of the index's centre, channels 1-8 are the corners of the index and 9-16
    those of the whole card, both in the direction in which the index is read.
    """

    def __init__(self) -> None:
        super().__init__(outputs=17)


class ReaderNet(nn.Module):
    """Reads a face: (n, 3, 64, 48) RGB in 0..1, white-balanced -> number logits (n, 15), colour
    logits (n, 4), turn logits (n, 4), corner offsets (n, 8) and features (n, 1536).

    The corner offsets are how far each corner of the face lies from its expected place in the crop,
    x and y in widths and heights of the face. Numbers, colours and turns are computed from the
    features.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 32),
            conv(32, 32, 2),
            Residual(32),
            conv(32, 64, 2),
            Residual(64),
            conv(64, 96, 2),
            Residual(96),
            Residual(96),
        )
        self.squeeze = conv(96, 32, kernel=1)
        self.mix = nn.Sequential(nn.Linear(32 * 8 * 6, 128), nn.ReLU(inplace=True), nn.Dropout(0.2))
        self.number = nn.Linear(128, NUMBERS)
        self.colour = nn.Linear(128, COLOURS)
        self.turn = nn.Linear(128, TURNS)
        # Corners depend on where things are, not on what they mean, and need no dropout: they have
        # layers of their own behind the last feature map.
        self.corner_offsets = nn.Sequential(
            conv(96, 16, kernel=1),
            nn.Flatten(),
            nn.Linear(16 * 8 * 6, 32),
            nn.ReLU(),
            nn.Linear(32, 8),
        )

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        body = self.body(x)
        features = self.squeeze(body).flatten(1)
        mixed = self.mix(features)
        return (
            self.number(mixed),
            self.colour(mixed),
            self.turn(mixed),
            self.corner_offsets(body),
            features,
        )


class DirectionNet(nn.Module):
    """Tells whether the 6 or 9 in the middle of a view of a rack, (n, 3, 60, 72) RGB in 0..1,
    stands on its head: (n,), the log-odds of it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 16, 2),
            conv(16, 16),
            conv(16, 32, 2),
            conv(32, 32),
            conv(32, 32, 2),
            conv(32, 16, kernel=1),
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(16 * 8 * 9, 32),
            nn.ReLU(),
            nn.Linear(32, 1),
        )

    def forward(self, x: Tensor) -> Tensor:
        light, contrast = x.mean((1, 2, 3), keepdim=True), x.std((1, 2, 3), keepdim=True)
        told: Tensor = self.body((x - light) / (contrast + 0.02))
        return told[:, 0]


class SecondLookNet(nn.Module):
    """Looks again at a find in the middle of a view, (n, 3, 112, 96) RGB in 0..1, white-balanced ->
    logits of what it is, (n, 16), and of its colour, (n, 4).
    """

    # Channels of each convolution on half the view, of those on a quarter, and of those behind.
    first: tuple[int, ...] = (32, 32)
    second, third = 64, 96
    classes = NUMBERS + 1  # that it tells
    channels = 3  # of a view

    def __init__(self) -> None:
        super().__init__()
        first, second, third = self.first, self.second, self.third
        self.body = nn.Sequential(
            conv(self.channels, first[0], 2),
            *(conv(one, other) for one, other in pairwise(first)),
            conv(first[-1], second, 2),
            Residual(second),
            conv(second, third, 2),
            Residual(third),
            conv(third, third, 2),
            Residual(third),
            conv(third, 32, kernel=1),
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(32 * 7 * 6, 128),
            nn.ReLU(inplace=True),
            nn.Dropout(0.2),
        )
        self.shown = nn.Linear(128, self.classes)
        self.colour = nn.Linear(128, COLOURS)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        mixed = self.body(x)
        return self.shown(mixed), self.colour(mixed)


class CardSecondLookNet(SecondLookNet):
    """Looks again at a mark of a card, as `SecondLookNet` does at a tile, with half as many
    channels: a photograph of cards has more marks than one of tiles has finds in doubt.
    """

    first = (16,)
    second, third = 32, 48


class ColumnNet(CardSecondLookNet):
    """Tells what lies beyond the end of a column of cards, or between two neighbours of it. That
    place is in the middle of a view, (n, 4, 112, 96): RGB in 0..1, white-balanced, and the marks
    that are known, see `vision.cards.known_marks` -> logits of nothing, a card and a jolly, (n, 3),
    and of colours, which are not trained, (n, 4).
    """

    classes, channels = 3, 4
