"""Tile faces of sets that do not exist: every random style is one physical set, drawn without light."""

from datasets.faces.drawing import Face, draw_back, draw_face
from datasets.faces.random_style import random_style
from datasets.faces.style import FaceStyle, Kind

__all__ = ["Face", "FaceStyle", "Kind", "draw_back", "draw_face", "random_style"]
