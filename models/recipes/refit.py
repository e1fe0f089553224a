"""Fits the last layers of a reader to what the detector finds: `python -m models.recipes.refit
--scenes DIR... --models DIR --from CHECKPOINT --out RUN [--steps 2000] [--pieces cards]`.

A reader is trained on crops around labelled faces. In the product it reads all places that the
detector finds: their quads are less exact, and many hold no face. Here the convolutions stay as
they are, so that the features of each place are computed once. The layers behind them are trained
on these features, with equally many places of each folder of scenes. Then a weighted mean of their
weights before and after this training is taken. The mean keeps most of what is gained, and does not
lose what was read well before (Wortsman et al., "Robust fine-tuning of zero-shot models", 2022).
`--models` holds the detector that finds the places, and the reader of CHECKPOINT. Neither of the
two networks may have been trained on the scenes.
"""

from __future__ import annotations

import argparse
import copy
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy, dropout, kl_div
from tqdm import tqdm

from engine.pieces import Pieces
from models.recipes.mine import THRESHOLD
from models.recipes.nets import ReaderNet
from models.recipes.reader_data import ReaderCrops
from models.recipes.scenes import (
    NONE,
    POSITIVE,
    TrainingScene,
    lies_in_one,
    load_scenes,
)
from models.recipes.training import load_rounds, load_weights, save_weights
from vision.detector import Detector, DetectorConfig
from vision.frame import load
from vision.kinds import KINDS
from vision.quads import Quad
from vision.reader import JOKER, UNREADABLE, Reader

STEPS, RATE, SEED = 2000, 1e-3, 0
FOUND, LABELLED = 384, 128  # places and labelled faces in a step
LABELLED_WEIGHT = 0.5
KEPT = 0.3  # weight of the former weights in the average with the trained ones
DROPOUT = 0.2


@dataclass(frozen=True)
class Examples:
    """Features of n places, (n, 1536), and their true classes of number and of colour, (n,) each.

    The colour is NONE where it is not trained.
    """

    features: Tensor
    number: Tensor
    colour: Tensor

    def __len__(self) -> int:
        return len(self.features)

    def drawn(self, count: int, rng: np.random.Generator) -> tuple[Tensor, Tensor, Tensor]:
        """Draw `count` examples at random, some perhaps more than once. Returns their features,
        (count, 1536), and their classes of number and of colour, (count,) each.
        """
        which = torch.from_numpy(rng.integers(len(self), size=count))
        return self.features[which].float(), self.number[which], self.colour[which]


def truth_of(
    scene: TrainingScene, quad: Quad, number: NDArray[np.float32]
) -> tuple[int, int] | None:
    """Return the true classes of number and colour at a quad (4, 2) that the detector found;
    UNREADABLE and NONE where there is no face. `number`: the logarithms of the probabilities that
    the reader gives the numbers there, (15,).

    Returns None where the truth is not known: where the labels are incomplete, at a face half seen
    or at two faces at once, and on a card beside its labelled indices, since half covered indices
    are not all labelled. Only what the reader takes for a jolly's mark on a card that is no jolly
    has a truth there: it is a word that the maker printed, and no face.
    """
    if scene.ignores(quad):
        return None
    met = scene.faces_at(quad)
    seen = [number for number in met if scene.seen[number] == POSITIVE]
    if len(seen) == 1:
        return scene.classes(seen[0])
    of_card = lies_in_one(scene.wholes, quad)
    word = number.argmax() == JOKER and not lies_in_one(scene.jollies(), quad)
    return None if met or (of_card and not word) else (UNREADABLE, NONE)


def found_on(scenes: list[TrainingScene], detector: Detector, reader: Reader) -> Examples:
    """Return as Examples all places that the detector finds in the scenes: the reader's features
    and the true classes of each. Places whose truth is not known (`truth_of`) are left out.
    """
    features: list[NDArray[np.float16]] = []
    truths: list[tuple[int, int]] = []
    for scene in tqdm(scenes, "places"):
        picture = load(scene.path).pixels
        scores = reader.read(picture, detector.detect(picture).quads)
        told = [
            truth_of(scene, quad, number)
            for quad, number in zip(scores.quads, scores.number, strict=True)
        ]
        features += [
            one.astype(np.float16)
            for one, truth in zip(scores.features, told, strict=True)
            if truth is not None
        ]
        truths += [truth for truth in told if truth is not None]
    number, colour = torch.tensor(truths, dtype=torch.long).reshape(-1, 2).T
    return Examples(torch.from_numpy(np.stack(features)), number, colour)


def labelled_on(scenes: list[TrainingScene], net: ReaderNet) -> Examples:
    """Return the features that `net` computes of labelled faces, and the true classes of these
    faces. Each scene is used once. Crops of its faces are made as in the reader's training; crops
    that show nothing readable are left out.
    """
    crops, parts = ReaderCrops(scenes, SEED), []
    for number in tqdm(range(len(scenes)), "faces"):
        sample = crops[number]
        faces = sample["number"] != UNREADABLE
        with torch.no_grad():
            body = net.body(sample["picture"][faces].float() / 255)
            features = net.squeeze(body).flatten(1).half()
        parts.append((features, sample["number"][faces], sample["colour"][faces]))
    return Examples(*(torch.cat(one) for one in zip(*parts, strict=True)))


def refit(net: ReaderNet, found: Sequence[Examples], labelled: Examples, steps: int) -> None:
    """Train the layers behind the convolutions of `net`, in place, for `steps` steps. Then replace
    their weights by a weighted mean of those before and after the training.

    Numbers and colours are learned at the places in `found`; in every step, each item of `found`
    gives equally many places. Numbers are also learned on the `labelled` faces. What the network
    answers for directions, and for the colours of labelled faces, is kept as it was.
    """
    torch.manual_seed(SEED)
    before = copy.deepcopy(net).eval()
    net.eval().requires_grad_(False)
    trained = [*net.mix.parameters(), *net.number.parameters(), *net.colour.parameters()]
    for weights in trained:
        weights.requires_grad_(True)
    optimizer = torch.optim.AdamW(trained, RATE, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
    rng = np.random.default_rng(SEED)
    for _ in tqdm(range(steps), "refit"):
        drawn = [one.drawn(FOUND // len(found), rng) for one in found]
        features, number, colour = (torch.cat(one) for one in zip(*drawn, strict=True))
        loss = _loss(net, before, (features, number, colour), labelled.drawn(LABELLED, rng))
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        schedule.step()
    with torch.no_grad():
        for weights, was in zip(net.parameters(), before.parameters(), strict=True):
            weights.lerp_(was, KEPT)
    net.requires_grad_(True)


def _loss(
    net: ReaderNet,
    before: ReaderNet,
    found: tuple[Tensor, Tensor, Tensor],
    labelled: tuple[Tensor, Tensor, Tensor],
) -> Tensor:
    features, number, colour = found
    mixed = dropout(net.mix(features), DROPOUT)
    coloured = colour != NONE
    loss = cross_entropy(net.number(mixed), number)
    loss = loss + cross_entropy(net.colour(mixed)[coloured], colour[coloured])
    all_features = torch.cat([features, labelled[0]])
    mixed = net.mix(all_features)
    with torch.no_grad():
        as_before = before.mix(all_features)
        turn, ink = before.turn(as_before), before.colour(as_before)
    of_labelled = cross_entropy(net.number(mixed[len(features) :]), labelled[1])
    kept = _difference(net.colour(mixed), ink)
    return loss + _difference(net.turn(mixed), turn) + LABELLED_WEIGHT * (kept + of_labelled)


def _difference(logits: Tensor, wanted: Tensor) -> Tensor:
    """Return the mean over n rows of the Kullback-Leibler divergence KL(wanted || answered) of two
    distributions. Both are given as logits (n, k): the answered one as `logits`, the wanted one as
    `wanted`.
    """
    return kl_div(
        logits.log_softmax(1), wanted.log_softmax(1), reduction="batchmean", log_target=True
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--from", dest="start", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument(
        "--pieces", type=Pieces, choices=list(Pieces), default=Pieces.TILES, help="default tiles"
    )
    given = parser.parse_args()
    kind = KINDS[given.pieces]
    folders = [load_scenes(folder) for folder in given.scenes]
    net = ReaderNet()
    net.load_state_dict(load_weights(given.start))
    net.eval()
    detector = Detector(given.models, DetectorConfig(threshold=THRESHOLD), kind=kind)
    reader = Reader(given.models, kind=kind)
    found = [found_on(scenes, detector, reader) for scenes in folders]
    every_scene = [scene for scenes in folders for scene in scenes]
    refit(net, found, labelled_on(every_scene, net), given.steps)
    given.out.mkdir(parents=True, exist_ok=True)
    record = {"rendered": len(every_scene), "photographs": 0, "steps": given.steps, "rate": RATE}
    rounds = [*load_rounds(given.start), {**record, "seed": SEED, "layers": "last"}]
    save_weights(net, given.out / "checkpoint.pt", rounds)
    print(f"done: {sum(map(len, found))} places, {given.steps} steps", flush=True)


if __name__ == "__main__":
    main()
