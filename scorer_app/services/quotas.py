"""On a public server: limits how many matches may be begun and how many photographs may be sent in
a day from one network, and how many photographs a match may have. A network is an IPv4 address, or
all IPv6 addresses that a provider gives one household. The counts are in the store, so that they
hold for all processes together.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from enum import StrEnum

from sqlalchemy import delete, func, select

from scorer_app.config import Quotas
from scorer_app.store import Hand, Photo, Store, Usage, insert_into
from scorer_app.store.tables import wall_clock

IPV6_PREFIX = 64  # bits: what a provider gives one household


class Quota(StrEnum):
    """The things whose number a server limits."""

    MATCHES = "matches"  # begun from one network in a day
    PHOTOS = "photographs"  # sent from one network in a day
    PHOTOS_OF_MATCH = "match_photographs"  # in all hands of one match


class QuotaSpent(Exception):
    """A quota is used up: `most` was the limit of `quota`."""

    def __init__(self, quota: Quota, most: int) -> None:
        super().__init__(quota, most)
        self.quota, self.most = quota, most


class QuotaCounter:
    """Counts the matches begun and the photographs sent from each network in a day, and refuses
    those beyond a server's limits; refuses photographs beyond the limit of one match, too. Networks
    are stored as digests of their addresses, made with the secret `key`.
    """

    def __init__(self, store: Store, quotas: Quotas, key: bytes) -> None:
        self._store, self._quotas, self._key = store, quotas, key

    def begin_match(self, address: str) -> None:
        """Count a match that is begun from a network address. Raises QuotaSpent where the network
        has begun too many on this day.
        """
        self._count(Quota.MATCHES, address, self._quotas.matches_per_address_per_day)

    def send_photo(self, address: str, hand_id: str) -> None:
        """Count a photograph of a hand that comes from a network address. Raises QuotaSpent where
        the network has sent too many on this day, or where the hand's match has too many.
        """
        of_match = select(Hand.match_id).where(Hand.id == hand_id).scalar_subquery()
        kept = select(func.count(Photo.id)).join(Hand).where(Hand.match_id == of_match)
        most = self._quotas.photographs_per_match
        if self._store.look(kept, {})[0][0] >= most:
            raise QuotaSpent(Quota.PHOTOS_OF_MATCH, most)
        self._count(Quota.PHOTOS, address, self._quotas.photographs_per_address_per_day)

    def _count(self, quota: Quota, address: str, most: int) -> None:
        day = wall_clock().date().isoformat()
        with self._store.writing(durable=False) as session:
            first = insert_into(session, Usage).values(
                day=day, network=self._digest(day, address), kind=quota, count=1
            )
            more = first.on_conflict_do_update(
                index_elements=[Usage.day, Usage.network, Usage.kind],
                set_={"count": Usage.count + 1},
            )
            if (session.scalar(more.returning(Usage.count)) or 0) > most:
                raise QuotaSpent(quota, most)  # the error undoes this count

    def _digest(self, day: str, address: str) -> str:
        """Return a keyed digest that stands for the network of an address on one day, an ISO date.
        Without the key nobody can find the address from it.
        """
        told = f"{day} {network_of(address)}".encode()
        return hmac.new(self._key, told, hashlib.sha256).hexdigest()[:32]


def network_of(address: str) -> str:
    """Return the network to which an IPv6 address belongs, by the first `IPV6_PREFIX` bits of the
    address: `2001:db8::/64` for `2001:db8::1`. Return an IPv4 address or any other text as it is.
    """
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    if known.version == 4:
        return str(known)
    return str(ipaddress.ip_network((known, IPV6_PREFIX), strict=False))


def forget_usage(store: Store) -> None:
    """Delete the counts of earlier days."""
    with store.writing() as session:
        session.execute(delete(Usage).where(Usage.day < wall_clock().date().isoformat()))
