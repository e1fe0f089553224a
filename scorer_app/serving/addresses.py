"""Finds the addresses at which this machine can be reached."""

from __future__ import annotations

import ipaddress
import socket

MAPPED_BITS = 96  # bits of the prefix ::ffff:0:0/96, after which an IPv6 address holds an IPv4 one


def addresses(host: str, port: int, https: bool) -> list[str]:
    """List the addresses (URLs) at which a server that listens at `host` can be opened. Where
    phones can reach the server, the last address is the one for them.
    """
    names: list[str | None] = [host]
    if host in ("0.0.0.0", "::", ""):
        names = ["127.0.0.1", network_address()]
    scheme = "https" if https else "http"
    return [f"{scheme}://{bracketed(name)}:{port}/" for name in names if name]


def bracketed(name: str) -> str:
    """Return a host as URLs name it, with brackets around an IPv6 address."""
    return f"[{name}]" if ":" in name else name


def is_only_here(host: str) -> bool:
    """Tell whether a name or an address is one by which every machine reaches only itself, such as
    `localhost`.
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def is_address(host: str) -> bool:
    """Tell whether a host is given by its IP address; otherwise it is a name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def as_ipv4(address: str) -> str:
    """Return an IPv4 address that is written as an IPv6 one, such as `::ffff:192.0.2.1`, in its own
    form, and any other text as it is. Sockets that listen at `::` write their IPv4 clients so.
    """
    try:
        known = ipaddress.IPv6Address(address)
    except ValueError:
        return address
    return address if known.ipv4_mapped is None else str(known.ipv4_mapped)


def in_both_forms(network: str) -> tuple[str, ...]:
    """Return a network, or the address of one machine, in all forms in which an address of it may
    be written: one of IPv4 as `10.0.0.0/8` and as `::ffff:10.0.0.0/104`, any other as it is. Raises
    ValueError for any other text.
    """
    known = ipaddress.ip_network(network)
    if known.version == 6:
        mapped = known.network_address.ipv4_mapped
        if mapped is None or known.prefixlen < MAPPED_BITS:
            return (network,)
        return network, f"{mapped}/{known.prefixlen - MAPPED_BITS}"
    return network, f"::ffff:{known.network_address}/{known.prefixlen + MAPPED_BITS}"


def network_address() -> str | None:
    """Return the IPv4 address of this machine in its network; None without a network. Nothing is
    sent to find out.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket sends nothing; the address is reserved for documentation.
            probe.connect(("192.0.2.1", 9))
            found: str = probe.getsockname()[0]
        except OSError:
            return None
    return None if found.startswith("127.") else found
