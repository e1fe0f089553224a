"""Which calls to the network a program makes, by strace where the machine has it."""

from __future__ import annotations

import functools
import ipaddress
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

PATIENCE = 60.0  # seconds for strace to begin, and to write its last line
NAME_SERVICES = {53, 853}  # ports of DNS, plain and over TLS
LOOK_UP_SOCKET = "/systemd/resolve/"  # of the system's own resolver
ADDRESS = re.compile(
    r'sin6?_port=htons\((?P<port>\d+)\).*?inet_(?:addr\(|pton\(AF_INET6, )"(?P<host>[^"]+)"'
)


@functools.cache
def can_trace() -> bool:
    """Whether strace is installed and allowed to watch a process here."""
    trial = ["strace", "-D", "-f", "-o", os.devnull, sys.executable, "-c", ""]
    return bool(shutil.which("strace")) and subprocess.run(trial, timeout=PATIENCE).returncode == 0


def traced(trace: Path) -> list[str]:
    """Return the command that lets `trace` list another command's calls to the network, to be put
    before it; empty without strace. The other command keeps its process number.
    """
    calls = "trace=connect,sendto,sendmsg,sendmmsg"
    return ["strace", "-D", "-f", "-o", str(trace), "-e", calls] if can_trace() else []


def reached_outside(trace: Path) -> list[str]:
    """List the traced calls that ask a name service or address a machine outside the local network.

    The addresses of documentation (192.0.2.0/24) count as local: nobody has them, and the server
    connects a datagram socket to one to learn its own address, without sending anything.
    """
    outside = []
    for line in trace.read_text("utf-8").splitlines():
        if LOOK_UP_SOCKET in line:
            outside.append(line)
        elif found := ADDRESS.search(line):
            address = ipaddress.ip_address(found["host"])
            local = address.is_private or address.is_link_local
            if int(found["port"]) in NAME_SERVICES or not local:
                outside.append(line)
    return outside


def addressed(trace: Path) -> Counter[str]:
    """Count how often each internet address was named in a traced call."""
    return Counter(found["host"] for found in ADDRESS.finditer(trace.read_text("utf-8")))


def when_ended(trace: Path) -> None:
    """Wait until strace, which runs a moment longer than the program that it watches, has written
    everything.
    """
    end = time.monotonic() + PATIENCE
    first = trace.read_text("utf-8").split(maxsplit=1)[0]
    while not re.search(rf"^{first} +\+\+\+ ", trace.read_text("utf-8"), re.MULTILINE):
        assert time.monotonic() < end
        time.sleep(0.02)
