"""The self-signed certificate of `--https`. Phones need it, because they let only secure pages use
the camera.
"""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from scorer_app.serving.addresses import network_address

VALID = timedelta(days=397)  # the longest that browsers accept
RENEW_BEFORE = timedelta(days=14)


def ensure_certificate(folder: Path) -> tuple[Path, Path]:
    """Return the paths of a certificate and its key (PEM) in `folder`.

    Both are made anew if one is missing or damaged, if they do not belong together, or if the
    certificate is not valid yet, expires soon, or lacks one of this machine's names.
    """
    certificate, key = folder / "certificate.pem", folder / "certificate.key"
    if not (certificate.exists() and key.exists() and _still_good(certificate, key)):
        _make(certificate, key)
    return certificate, key


def _names() -> list[x509.GeneralName]:
    host = socket.gethostname()
    addresses = ["127.0.0.1", "::1", *filter(None, [network_address()])]
    named = dict.fromkeys(["localhost", host, f"{host}.local"])
    return [
        *_dns_names(named),
        *(x509.IPAddress(ipaddress.ip_address(address)) for address in addresses),
    ]


def _dns_names(names: Iterable[str]) -> Iterator[x509.DNSName]:
    """Yield names as certificates hold them. Names that DNS cannot have are left out; those with
    letters beyond ASCII, such as `JOSÉ-PC`, are written as DNS writes them.
    """
    for name in names:
        with suppress(UnicodeError):
            yield x509.DNSName(name.encode("idna").decode("ascii"))


def _still_good(certificate_path: Path, key_path: Path) -> bool:
    try:
        certificate = x509.load_pem_x509_certificate(certificate_path.read_bytes())
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        key = serialization.load_pem_private_key(key_path.read_bytes(), None)
    except (ValueError, TypeError, UnsupportedAlgorithm, x509.ExtensionNotFound):
        return False
    if key.public_key() != certificate.public_key():  # the process that made them was killed
        return False
    last = certificate.not_valid_after_utc - RENEW_BEFORE
    is_valid = certificate.not_valid_before_utc <= datetime.now(UTC) < last
    return is_valid and set(_names()) <= set(names)


def _make(certificate_path: Path, key_path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Burako")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + VALID)
        .add_extension(x509.SubjectAlternativeName(_names()), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with os.fdopen(os.open(key_path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(secret)
    certificate_path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
