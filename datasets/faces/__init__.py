"""Draws the tile faces of sets that do not exist. Each random style is one physical set. Faces are
drawn without light or shade; `datasets.scene` adds both.
"""

from datasets.faces.backs import draw_back
from datasets.faces.drawing import draw_face
from datasets.faces.random_style import random_joker, random_style
from datasets.faces.sheet import Face
from datasets.faces.style import FaceStyle, Kind

__all__ = ["Face", "FaceStyle", "Kind", "draw_back", "draw_face", "random_joker", "random_style"]
