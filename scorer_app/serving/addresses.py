"""The addresses at which this machine is reached."""

from __future__ import annotations

import ipaddress
import socket


def addresses(host: str, port: int, https: bool) -> list[str]:
    """Addresses to open, the one for phones last."""
    scheme = "https" if https else "http"
    names = ["::1" if host == "::1" else "127.0.0.1"]
    if host in ("0.0.0.0", "::", ""):
        names += [address for address in [network_address()] if address]
    elif not is_only_here(host):
        names = [host]
    return [f"{scheme}://{f'[{name}]' if ':' in name else name}:{port}/" for name in names]


def is_only_here(host: str) -> bool:
    """Whether the name or address leads to the machine that asks, so that it says nothing to
    another one.
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def network_address() -> str | None:
    """This machine's address as its network sees it; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(
                ("192.0.2.1", 9)
            )  # a documentation address: connecting a datagram socket only picks a route
            found: str = probe.getsockname()[0]
        except OSError:
            return None
    return None if found.startswith("127.") else found
