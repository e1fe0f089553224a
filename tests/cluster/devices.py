"""A phone at a running service, with its cookies."""

from __future__ import annotations

import http.client
import json
import re
import secrets
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import Cookie, CookieJar
from typing import Any

from tests.scorer_app.served import PATIENCE, trusting_anyone


class _From(urllib.request.HTTPHandler):
    """Connects from an address of this machine, any of 127.0.0.0/8."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._source = (address, 0)

    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(http.client.HTTPConnection, request, source_address=self._source)


class Device:
    """A phone that begins a match of its own, or follows a link. It connects from `address`."""

    def __init__(self, base: str, address: str = "127.0.0.1") -> None:
        self.base = base
        self._jar = CookieJar()
        self._opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self._jar),
            urllib.request.HTTPSHandler(context=trusting_anyone()),
            _From(address),
        )
        self.token: str = self.json("/api/session")["csrf"]

    @property
    def cookie(self) -> str:
        """The value of the header with which the device sends its cookies."""
        return "; ".join(f"{one.name}={one.value}" for one in self._jar)

    def ask(
        self,
        path: str,
        data: bytes | None = None,
        base: str | None = None,
        method: str | None = None,
        **headers: str,
    ) -> tuple[int, bytes, str]:
        """Return status, body and final path of the answer to a request: at the server `base`, by
        default the phone's own.
        """
        told = {name.replace("_", "-"): value for name, value in headers.items()}
        if data is not None or method:
            told["X-CSRF-Token"] = self.token
        request = urllib.request.Request((base or self.base) + path, data, told, method=method)
        try:
            with self._opener.open(request, timeout=PATIENCE) as answer:
                return answer.status, answer.read(), urllib.parse.urlsplit(answer.geturl()).path
        except urllib.error.HTTPError as error:
            return error.code, error.read(), path
        except (OSError, http.client.HTTPException):  # the connection was lost
            return 0, b"", path

    def json(self, path: str, base: str | None = None) -> Any:
        status, body, _path = self.ask(path, base=base)
        assert status == 200, (path, status, body[:300])
        return json.loads(body)

    @property
    def cookies(self) -> list[Cookie]:
        """The cookies that the server has set on this device."""
        return list(self._jar)

    def form(self, path: str, **fields: str) -> tuple[int, str, str]:
        """Send a form; return status, page and final path of the answer."""
        data = urllib.parse.urlencode({"csrf": self.token, **fields}).encode()
        status, body, path = self.ask(path, data)
        return status, body.decode(), path

    def page(self, path: str) -> tuple[int, str]:
        """Return status and text of a page."""
        status, body, _path = self.ask(path)
        return status, body.decode()

    def begin(self) -> tuple[str, str]:
        """Begin a match; return its id and that of its first hand."""
        _status, _page, path = self.form("/score", pieces="tiles")
        hand = path.rsplit("/", 1)[1]
        return str(self.json(f"/api/hands/{hand}")["match"]), hand

    def send(self, hand: str, picture: bytes, key: str | None = None) -> int:
        """Send a photograph of side A's melds to a hand; return the status of the answer."""
        boundary = secrets.token_hex(12)
        fields = {"side": "A", "place": "melds", "key": key or secrets.token_hex(8)}
        parts = [
            f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
            for name, value in fields.items()
        ]
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"'
        body = "".join(parts) + f"{head}\r\nContent-Type: image/jpeg\r\n\r\n"
        data = body.encode() + picture + f"\r\n--{boundary}--\r\n".encode()
        kind = f"multipart/form-data; boundary={boundary}"
        return self.ask(f"/api/hands/{hand}/photos", data, Content_Type=kind)[0]

    def table(self, path: str) -> str:
        """Return the address of a watched table, which the page at `path` names."""
        _status, page, _path = self.ask(path)
        found = re.search(r'data-table="([^"]+)"', page.decode())
        assert found, page[:500]
        return found.group(1)
