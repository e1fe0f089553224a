"""Why a photograph or a model cannot be used: an enumerated reason, and one sentence for the
person in each language.
"""

from __future__ import annotations

from enum import Enum


class Reason(Enum):
    """Closed list; the value is the code in JSON."""

    NOT_FOUND = "not_found"
    EMPTY_FILE = "empty_file"
    NOT_AN_IMAGE = "not_an_image"
    TRUNCATED = "truncated"
    TOO_MANY_PIXELS = "too_many_pixels"
    TOO_FEW_PIXELS = "too_few_pixels"
    MODEL_MISSING = "model_missing"
    MODEL_MISMATCH = "model_mismatch"


_SENTENCES = {
    Reason.NOT_FOUND: {
        "es": "No se encuentra la foto o no se puede abrir: {what}.",
        "en": "The photo cannot be found or opened: {what}.",
        "it": "La foto non si trova o non si può aprire: {what}.",
    },
    Reason.EMPTY_FILE: {
        "es": "El archivo está vacío: se esperaba una foto.",
        "en": "The file is empty: a photo was expected.",
        "it": "Il file è vuoto: ci si aspettava una foto.",
    },
    Reason.NOT_AN_IMAGE: {
        "es": "El archivo no es una imagen que se pueda leer (JPEG, PNG, WebP o HEIC): {what}.",
        "en": "The file is no picture that can be read (JPEG, PNG, WebP or HEIC): {what}.",
        "it": "Il file non è un'immagine leggibile (JPEG, PNG, WebP o HEIC): {what}.",
    },
    Reason.TRUNCATED: {
        "es": "La foto está incompleta o dañada: {what}. Volvé a copiarla o sacala de nuevo.",
        "en": "The photo is incomplete or damaged: {what}. Copy it again or take another.",
        "it": "La foto è incompleta o danneggiata: {what}. Copiala di nuovo o scattane un'altra.",
    },
    Reason.TOO_MANY_PIXELS: {
        "es": "La foto es demasiado grande: {what}.",
        "en": "The photo is too large: {what}.",
        "it": "La foto è troppo grande: {what}.",
    },
    Reason.TOO_FEW_PIXELS: {
        "es": "La foto es demasiado chica: {what}.",
        "en": "The photo is too small: {what}.",
        "it": "La foto è troppo piccola: {what}.",
    },
    Reason.MODEL_MISSING: {
        "es": "Falta un modelo de lectura: {what}. Reinstalá el programa.",
        "en": "A reading model is missing: {what}. Install the program again.",
        "it": "Manca un modello di lettura: {what}. Reinstalla il programma.",
    },
    Reason.MODEL_MISMATCH: {
        "es": "Un modelo de lectura no es el que corresponde: {what}. Reinstalá el programa.",
        "en": "A reading model is not the one expected: {what}. Install the program again.",
        "it": "Un modello di lettura non è quello previsto: {what}. Reinstalla il programma.",
    },
}


class VisionError(Exception):
    """Base: `reason` tells why, `what` what was expected and what came, `message` says it to a
    person.
    """

    def __init__(self, reason: Reason, what: str = "") -> None:
        super().__init__(f"{reason.value}: {what}" if what else reason.value)
        self.reason, self.what = reason, what

    def message(self, language: str = "es") -> str:
        sentences = _SENTENCES[self.reason]
        return sentences.get(language, sentences["es"]).format(what=self.what)


class PhotoError(VisionError):
    """This photograph cannot be used; others may."""


class ModelError(VisionError):
    """The reader cannot start."""
