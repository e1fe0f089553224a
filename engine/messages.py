"""Everything the engine says to people, in Argentine Spanish, English and Italian: one
catalogue.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias, get_args

from engine.fixes import Fix, FixAction
from engine.reasons import Notice, Reason
from engine.tiles import Tile, notation

Language: TypeAlias = Literal["es", "en", "it"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
Texts: TypeAlias = Mapping[Language, str]

# {tiles}: the tiles concerned, in notation.
REASONS: dict[Reason, Texts] = {
    Reason.TOO_SHORT: {
        "es": "Un juego necesita al menos tres fichas: {tiles}.",
        "en": "A meld needs at least three tiles: {tiles}.",
        "it": "Un gioco richiede almeno tre tessere: {tiles}.",
    },
    Reason.TOO_MANY_COPIES: {
        "es": "Hay demasiadas copias de {tiles}.",
        "en": "There are too many copies of {tiles}.",
        "it": "Ci sono troppe copie di {tiles}.",
    },
    Reason.ALL_WILD: {
        "es": "Un juego no puede ser solo de comodines: {tiles}.",
        "en": "A meld cannot be made of wilds only: {tiles}.",
        "it": "Un gioco non può essere di sole matte: {tiles}.",
    },
    Reason.TWO_WILDS: {
        "es": "Hay más comodines de los que admite un juego: {tiles}.",
        "en": "There are more wilds than a meld may have: {tiles}.",
        "it": "Ci sono più matte di quante un gioco ne ammetta: {tiles}.",
    },
    Reason.COLOUR_MISMATCH: {
        "es": "Una escalera es de un solo color; {tiles} no coincide.",
        "en": "A run is of one colour; {tiles} does not match.",
        "it": "Una sequenza è di un solo colore; {tiles} non corrisponde.",
    },
    Reason.MIXED: {
        "es": "No es escalera ni pierna; {tiles} no corresponde.",
        "en": "This is neither a run nor a set; {tiles} does not belong.",
        "it": "Non è né una sequenza né una combinazione; {tiles} non c'entra.",
    },
    Reason.DUPLICATE_IN_RUN: {
        "es": "En una escalera no se repite un número: {tiles}.",
        "en": "A run cannot hold the same number twice: {tiles}.",
        "it": "In una sequenza un numero non si ripete: {tiles}.",
    },
    Reason.GAP: {
        "es": "A la escalera le falta {tiles}.",
        "en": "The run lacks {tiles}.",
        "it": "Alla sequenza manca {tiles}.",
    },
    Reason.WRAPAROUND: {
        "es": (
            "La escalera no da la vuelta: el 1 va antes del 2 o después del 13, nunca en el medio"
            " ({tiles})."
        ),
        "en": (
            "A run does not go round: the 1 lies below the 2 or above the 13, never between"
            " ({tiles})."
        ),
        "it": "La sequenza non gira: l'1 sta prima del 2 o dopo il 13, mai in mezzo ({tiles}).",
    },
    Reason.ACE_IN_MIDDLE: {
        "es": "El 1 solo puede estar en una punta de la escalera: {tiles}.",
        "en": "The 1 can only lie at an end of the run: {tiles}.",
        "it": "L'1 può stare solo a un'estremità della sequenza: {tiles}.",
    },
    Reason.OUT_OF_RANGE: {
        "es": "No hay número antes del 1 bajo ni después del 1 alto para {tiles}.",
        "en": "There is no number below the low 1 or above the high 1 for {tiles}.",
        "it": "Non c'è numero sotto l'1 basso né sopra l'1 alto per {tiles}.",
    },
    Reason.ORDER: {
        "es": "Las fichas no están en orden: {tiles}.",
        "en": "The tiles are not in order: {tiles}.",
        "it": "Le tessere non sono in ordine: {tiles}.",
    },
    Reason.TILE_REMOVED: {
        "es": "Lo bajado no se levanta: falta {tiles}.",
        "en": "What is laid stays: {tiles} is missing.",
        "it": "Ciò che è calato non si riprende: manca {tiles}.",
    },
    Reason.WILD_WITHDRAWN: {
        "es": "Un comodín bajado no vuelve a la mano: {tiles}.",
        "en": "A wild that was laid does not return to the hand: {tiles}.",
        "it": "Una matta calata non torna in mano: {tiles}.",
    },
    Reason.WILD_MOVED: {
        "es": "El comodín {tiles} solo se corre cuando llega la ficha que reemplaza.",
        "en": "The wild {tiles} moves only when the tile it stands for arrives.",
        "it": "La matta {tiles} si sposta solo quando arriva la tessera che sostituisce.",
    },
    Reason.TILE_MOVED: {
        "es": "Las fichas no pasan de un juego a otro: {tiles}.",
        "en": "Tiles do not move from one meld to another: {tiles}.",
        "it": "Le tessere non passano da un gioco all'altro: {tiles}.",
    },
    Reason.MELD_REMOVED: {
        "es": "Desapareció un juego de la mesa: {tiles}.",
        "en": "A meld has gone from the table: {tiles}.",
        "it": "Un gioco è sparito dal tavolo: {tiles}.",
    },
    Reason.MELD_MERGED: {
        "es": "Los juegos no se unen: {tiles}.",
        "en": "Melds are not joined: {tiles}.",
        "it": "I giochi non si uniscono: {tiles}.",
    },
    Reason.MELD_SPLIT: {
        "es": "Un juego no se parte: {tiles}.",
        "en": "A meld is not split: {tiles}.",
        "it": "Un gioco non si divide: {tiles}.",
    },
    Reason.NOT_OWN_MELD: {
        "es": "Solo se agrega a los juegos propios: {tiles}.",
        "en": "Only one's own melds may be changed: {tiles}.",
        "it": "Si può aggiungere solo ai propri giochi: {tiles}.",
    },
    Reason.UNKNOWN_TILE: {
        "es": "Nadie jugó {tiles}: apareció de la nada o antes no se leyó.",
        "en": "Nobody played {tiles}: it came from nowhere or was missed before.",
        "it": "Nessuno ha giocato {tiles}: è comparsa dal nulla o prima non era stata letta.",
    },
    Reason.HAND_NOT_EMPTY: {
        "es": "Para cerrar hay que quedarse sin fichas; quedan {tiles}.",
        "en": "To close a player must be out of tiles; left are {tiles}.",
        "it": "Per chiudere bisogna restare senza tessere; restano {tiles}.",
    },
    Reason.MUERTO_NOT_TAKEN: {
        "es": "Para cerrar hay que haber tomado el muerto.",
        "en": "To close the side must have taken its muerto.",
        "it": "Per chiudere bisogna aver preso il pozzetto.",
    },
    Reason.NO_CANASTA: {
        "es": "Para cerrar hace falta la canasta que pide la mesa.",
        "en": "To close the side needs the canasta that the table asks for.",
        "it": "Per chiudere serve il burraco richiesto dal tavolo.",
    },
}

NOTICES: dict[Notice, Texts] = {
    Notice.PIERNA_OF_TWOS: {
        "es": "Pierna de doses: vale, aunque es poco común ({tiles}).",
        "en": "A set of twos: it stands, though it is unusual ({tiles}).",
        "it": "Combinazione di due: vale, ma è insolita ({tiles}).",
    },
    Notice.BETTER_ARRANGEMENT: {
        "es": "Con otro orden el 2 sería natural: {tiles}.",
        "en": "In another order the 2 would be natural: {tiles}.",
        "it": "In un altro ordine il 2 sarebbe naturale: {tiles}.",
    },
    Notice.TOO_MANY_COPIES: {
        "es": "No existen tantas copias de {tiles}: revisá la lectura.",
        "en": "There are not that many copies of {tiles}: check the reading.",
        "it": "Non esistono tante copie di {tiles}: ricontrollate la lettura.",
    },
    Notice.ACCEPTED_ILLEGAL: {
        "es": "La mesa aceptó un juego que no vale: {tiles}. Cuentan sus fichas, no hace canasta.",
        "en": (
            "The table accepted a meld that does not stand: {tiles}. Its tiles count, it makes no"
            " canasta."
        ),
        "it": (
            "Il tavolo ha accettato un gioco non valido: {tiles}. Le tessere contano, non fa"
            " burraco."
        ),
    },
}

FIXES: dict[FixAction, Texts] = {
    FixAction.REARRANGE: {
        "es": "Alcanza con ordenarlas así: {row}.",
        "en": "It is enough to lay them as {row}.",
        "it": "Basta disporle così: {row}.",
    },
    FixAction.TAKE_BACK: {
        "es": "Alcanza con levantar {tiles}.",
        "en": "It is enough to take back {tiles}.",
        "it": "Basta riprendere {tiles}.",
    },
    FixAction.ADD: {
        "es": "Alcanzaría con agregar una ficha, por ejemplo {tiles}.",
        "en": "One more tile would do, for example {tiles}.",
        "it": "Basterebbe aggiungere una tessera, per esempio {tiles}.",
    },
    FixAction.PUT_BACK: {
        "es": "Alcanza con devolver a su lugar {tiles}.",
        "en": "It is enough to put {tiles} back in place.",
        "it": "Basta rimettere al suo posto {tiles}.",
    },
}

MELDS: dict[str, Texts] = {
    "escalera": {"es": "Escalera", "en": "Run", "it": "Sequenza"},
    "pierna": {"es": "Pierna", "en": "Set", "it": "Combinazione"},
    "pura": {"es": ", canasta pura", "en": ", canasta pura", "it": ", burraco pulito"},
    "impura": {"es": ", canasta impura", "en": ", canasta impura", "it": ", burraco sporco"},
    "pulito": {"es": ", burraco pulito", "en": ", burraco pulito", "it": ", burraco pulito"},
    "semipulito": {
        "es": ", burraco semipulito",
        "en": ", burraco semipulito",
        "it": ", burraco semipulito",
    },
    "sporco": {"es": ", burraco sporco", "en": ", burraco sporco", "it": ", burraco sporco"},
    "points": {"es": ": {points} puntos.", "en": ": {points} points.", "it": ": {points} punti."},
}

HANDS: dict[str, Texts] = {
    "void": {
        "es": "Nadie hizo canasta: la mano no se cuenta.",
        "en": "Nobody has a canasta: the hand is not counted.",
        "it": "Nessuno ha un burraco: la mano non si conta.",
    },
}


def reason_text(reason: Reason, tiles: Iterable[Tile], language: Language = "es") -> str:
    return REASONS[reason][language].format(tiles=notation(tiles) or "-")


def notice_text(notice: Notice, tiles: Iterable[Tile], language: Language = "es") -> str:
    return NOTICES[notice][language].format(tiles=notation(tiles))


def fix_text(fix: Fix, language: Language = "es") -> str:
    return FIXES[fix.action][language].format(tiles=notation(fix.tiles), row=notation(fix.row))
