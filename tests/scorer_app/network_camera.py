"""A camera on the network: an MJPEG stream of the drawn table that stops and goes on when the test says so."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from .drawn_table import Places


class NetworkCamera(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Stream)
        self.picture, self.running = Places().picture(False), threading.Event()
        self.running.set()
        self.open = True
        self.address = f"http://127.0.0.1:{self.server_address[1]}/table.mjpg"


class _Stream(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        camera = self.server
        assert isinstance(camera, NetworkCamera)
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        while camera.open:
            camera.running.wait(1)
            if camera.running.is_set() and not self._send(camera.picture):
                return
            time.sleep(0.1)

    def _send(self, picture: bytes) -> bool:
        try:
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
            self.wfile.write(head.encode() + picture + b"\r\n")
        except OSError:  # nobody looks any more
            return False
        return True

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@contextmanager
def network_camera() -> Iterator[NetworkCamera]:
    camera = NetworkCamera()
    threading.Thread(target=camera.serve_forever, daemon=True).start()
    yield camera
    camera.open = False
    camera.running.set()
    camera.shutdown()
    camera.server_close()
