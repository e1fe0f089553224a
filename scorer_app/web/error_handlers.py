"""Answers every failure with a status and one clear sentence: people get a page, programs the JSON
object `{"error", "message"}`.
"""

from __future__ import annotations

import errno
import logging
from types import MappingProxyType

from flask import Flask, Response, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed, Unauthorized

from scorer_app.hand.fields import EditRefused, Refusal, without_controls
from scorer_app.hand.record import UnreadableRecord
from scorer_app.services.disk import disk_trouble
from scorer_app.services.hand_rows import NotFound
from scorer_app.services.photo_files import PhotosUnavailable
from scorer_app.services.quotas import QuotaSpent
from scorer_app.services.reading_queue import ReadingFailed
from scorer_app.services.set_values import SetError, SetTrouble
from scorer_app.store import DatabaseMoved, StoreUnavailable
from scorer_app.watch.refusals import LiveRefused
from scorer_app.web.forms import FormProblem
from scorer_app.web.pages.context import config, say
from scorer_app.web.request_log import logged_path
from scorer_app.web.security import too_large_in_words

log = logging.getLogger(__name__)
_BY_STATUS = MappingProxyType(
    {
        400: "bad_request",
        401: "not_joined",
        403: "forbidden",
        404: "not_found",
        405: "method",
        409: "conflict",
        413: "too_large",
        415: "not_an_image",
        421: "wrong_host",
        429: "too_often",
        503: "store",
    }
)
_NO_NETWORKS = ("no_reader", "model_missing", "model_mismatch")
# The machine has no files, memory or threads left for the moment.
_USED_UP = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN)
# Reasons for which an edit is refused because of what the hand is, or has become meanwhile.
_OVERTAKEN = (
    *(Refusal.NOT_THERE, Refusal.CHANGED, Refusal.TILE_CHANGED),
    *(Refusal.DISCARDED, Refusal.SAMPLE),
)
_SET_OVERTAKEN = (SetTrouble.TAKEN, SetTrouble.FORGOTTEN, SetTrouble.OTHER_TILES)
_NAMED = ("admin", "cross_origin", "csrf", "host_only", "join_rate")


def install(app: Flask) -> None:
    """Make the application answer every exception that a request raises."""
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(NotFound, lambda _error: answer("not_found", 404))
    app.register_error_handler(UnreadableRecord, _unreadable_record)
    app.register_error_handler(EditRefused, _edit_refused)
    app.register_error_handler(ReadingFailed, _reading_failed)
    app.register_error_handler(SetError, _set_refused)
    app.register_error_handler(FormProblem, _field_refused)
    app.register_error_handler(QuotaSpent, _quota_spent)
    app.register_error_handler(LiveRefused, _live_refused)
    app.register_error_handler(StoreUnavailable, _no_store)
    app.register_error_handler(PhotosUnavailable, _no_photos)
    app.register_error_handler(OSError, _refused_by_the_system)
    app.register_error_handler(Exception, _broken)


def _http_error(error: HTTPException) -> Response:
    if error.response is not None:
        return make_response(error.response)
    status = error.code or 500
    named = str(error.description)
    code = named if named in _NAMED else _BY_STATUS.get(status, "unknown")
    is_large = status == 413
    response = _told(code, status, too_large_in_words(say)) if is_large else answer(code, status)
    if isinstance(error, MethodNotAllowed):
        response.allow.update(error.valid_methods or ())
    if isinstance(error, Unauthorized):
        response.headers.extend(error.get_headers()[1:])  # all but the content type, the first
    return response


def _unreadable_record(error: UnreadableRecord) -> Response:
    log.warning("%s: %s", logged_path(), error)
    return answer(error.trouble, 409)


def _edit_refused(error: EditRefused) -> Response:
    status = 409 if error.reason in _OVERTAKEN else 422
    text = f"error.field.{error.wrong}" if error.field else None
    return answer(f"edit.{error.reason}", status, str(error), text=text, field=error.field)


def _reading_failed(error: ReadingFailed) -> Response:
    return answer(f"photo.problem.{error.reason}", 503 if error.reason in _NO_NETWORKS else 415)


def _set_refused(error: SetError) -> Response:
    if error.reason is SetTrouble.UNKNOWN:
        return answer("not_found", 404)
    status = 409 if error.reason in _SET_OVERTAKEN else 422
    return answer(f"set.{error.reason}", status, what=without_controls(error.what))


def _field_refused(problem: FormProblem) -> Response:
    return _told(problem.wrong, 422, problem.in_words(say), str(problem))


def _quota_spent(error: QuotaSpent) -> Response:
    return answer(f"quota.{error.quota}", 429, most=error.most)


def _live_refused(error: LiveRefused) -> Response:
    return answer(f"live.{error.trouble}", 409, **error.figures)


def _no_store(error: StoreUnavailable) -> Response:
    log.error("store: %s", error)
    return answer("store_moved" if isinstance(error, DatabaseMoved) else "store", 503)


def _no_photos(error: PhotosUnavailable) -> Response:
    log.error("%s %s: %s", request.method, logged_path(), error)
    return answer("photos_away", 503)


def _refused_by_the_system(error: OSError) -> Response:
    trouble = disk_trouble(error, config().data_dir)
    if trouble is None and error.errno not in _USED_UP:
        return _broken(error)
    log.error("%s %s: %s", request.method, logged_path(), error)
    return answer(trouble, 507) if trouble else answer("used_up", 503)


def _broken(_error: Exception) -> Response:
    log.exception("%s %s failed", request.method, logged_path())
    return answer("broken", 500)


def answer(
    code: str, status: int, detail: str | None = None, text: str | None = None, **values: object
) -> Response:
    """Make the answer to a failure: a page or, under `/api/`, JSON.

    Programs get as `error` the part of `code` after its last dot. `text` is the key of the
    sentence, by default one made from `code`, and `values` fill its blanks. `detail`, in English,
    is added for programs alone.
    """
    message = say(text or (code if code.startswith("photo.") else f"error.{code}"), **values)
    return _told(code, status, message, detail)


def _told(code: str, status: int, message: str, detail: str | None = None) -> Response:
    if request.path.startswith("/api/"):
        body = {"error": code.split(".")[-1], "message": message}
        if detail:
            body["detail"] = detail
        return make_response(jsonify(body), status)
    return make_response(render_template("failure.html", message=message, status=status), status)
