"""Which of the matches under way the first page offers: where several tables play in one evening,
the one that this device opened last.
"""

from __future__ import annotations

from datetime import timedelta

from flask import session

from scorer_app.services.shelves import Listed
from scorer_app.services.tally import Tally
from scorer_app.store import Match
from scorer_app.store.tables import now

# A match that this device opened is offered before those of others if it was played within this
# time: a match of another evening is not.
EVENING = timedelta(hours=12)
_OPENED = "match"


def note_opened(match: Match) -> None:
    """Remember that this device has opened a match. Samples are no match that anybody plays."""
    if not match.sample and session.get(_OPENED) != match.id:
        session[_OPENED] = match.id


def match_under_way(played: Listed) -> Tally | None:
    """Return the tally of the unfinished match among `played` that this device opened last, if it
    was played this evening, or else of the one that was played last; None where `played` holds no
    unfinished match.

    An imported copy that nobody has played on does not stand in for the match itself, where that is
    among `played`: hands of the evening would go into the copy.
    """
    own = {tally.match.created for tally in played.tallies if not tally.match.is_unplayed_copy}
    unfinished = [
        tally
        for tally in played.tallies
        if not tally.finished and not (tally.match.is_unplayed_copy and tally.match.created in own)
    ]
    for tally in unfinished:
        if tally.match.id == session.get(_OPENED) and now() - tally.match.touched < EVENING:
            return tally
    return unfinished[0] if unfinished else None
