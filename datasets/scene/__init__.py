"""Renders scenes of tile tables with their truth, to train the detector and the reader."""

from datasets.scene.bank import FaceBank
from datasets.scene.compose import SceneConfig, render_scene

__all__ = ["FaceBank", "SceneConfig", "render_scene"]
