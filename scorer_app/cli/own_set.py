"""`burako set`: teaches, shows, exports, imports and deletes a family's own sets of tiles."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.tiles import Colour
from scorer_app.cli.files import write_whole
from scorer_app.cli.options import complain, failure, give_up, tell_failure
from scorer_app.cli.own_data import (
    config_of,
    explain_set_error,
    explain_store_error,
    open_store,
)
from scorer_app.cli.own_set_options import read_options
from scorer_app.cli.photo_errors import explain_photo
from scorer_app.cli.photo_frames import load_frame
from scorer_app.cli.terminal import ask, is_terminal, json_line, printable
from scorer_app.services.contact_sheet import contact_sheet
from scorer_app.services.dataset import write_dataset
from scorer_app.services.photo_files import FolderPhotos
from scorer_app.services.set_files import export_set, file_name, read_set_file
from scorer_app.services.set_readers import forget_prepared, name_rows, teach_photo
from scorer_app.services.set_values import (
    KeptSet,
    SetError,
    SetTrouble,
    clean_name,
    unknown_examples,
)
from scorer_app.services.sets import Sets
from scorer_app.store import StoreUnavailable
from scorer_app.texts.failures import explain_failure
from scorer_app.texts.translator import translator
from vision import open_reader
from vision.errors import PhotoError, VisionError
from vision.frame import is_open_pipe, read_file
from vision.own_set.examples import FaceExample, TileSet
from vision.own_set.kept import reader_with_set

if TYPE_CHECKING:
    from vision.own_set.teaching import TaughtPhoto
    from vision.tiles.pipeline import TableReader

DONE, FAILED, WRONG_USAGE = 0, 1, 2
Json = dict[str, Any]


def main(arguments: Sequence[str]) -> int:
    """Run one sub-command. Returns the exit status: 0 if all went well, 1 where something could not
    be done, 2 for wrong usage and for a name that no set has.
    """
    options = read_options(arguments)
    try:
        return _COMMANDS[options.command](options)
    except SetError as error:
        told = {"error": error.reason.value, "message": _explain(error, options)}
        status = WRONG_USAGE if error.reason in _WRONG_NAMES else FAILED
    except StoreUnavailable as error:
        told, status = failure(explain_store_error(error, options.lang)), FAILED
    except OSError as error:
        if error.filename is None:  # the output is lost, which `burako` itself reports
            raise
        told, status = failure(f"{error.filename}: {error.strerror}"), FAILED
    if status == FAILED and options.json:
        print(json_line(told), flush=True)
    complain(f"burako set: {told['message']}")
    return status


def _explain(error: SetError, options: argparse.Namespace) -> str:
    """Return one sentence that says what is wrong with a set."""
    if error.reason is SetTrouble.TAKEN:  # so far only `import` is refused a name for that
        return translator(options.lang)("set.name_taken", what=error.what)
    if error.reason is SetTrouble.OTHER_TILES:
        return translator(options.lang)("set.other_tiles", what=printable(error.what))
    return explain_set_error(error, options.lang)


DEVICE = "burako set"  # what the history of a match names instead of a person's device
_WRONG_NAMES = (SetTrouble.UNKNOWN, SetTrouble.BAD_NAME)


def _teach(options: argparse.Namespace) -> int:
    """Learn from all photographs, or from none if one of them cannot be used. One that was given
    twice, or from which the set has learned before, teaches nothing more. Returns the exit status.
    """
    name = clean_name(options.name)
    try:
        tables = open_reader(options.models)
        photos = _without_copies(options)
        taught = {photo: _look_at(tables, photo, options) for photo in photos}
    except VisionError as error:
        return give_up("burako set", explain_failure(error, options.lang), as_json=options.json)
    except _BadPhoto as error:
        tell_failure(error.photo, error.code, error.message, as_json=options.json)
        return FAILED
    seen = {path: [face.example for face in photo.faces] for path, (photo, _) in taught.items()}
    config = config_of(options)
    with open_store(config, make=True) as store:
        assert store  # made where there was none
        sets = Sets(store)
        known = [] if options.replace else list(_examples_of(sets, name))
        for photo, of_photo in seen.items():
            rows = taught[photo][1]
            if not unknown_examples(of_photo, known):
                otherwise = "_otherwise" if _have_other_faces(of_photo, known) else ""
                _note(options, f"set.photo_known{otherwise}", photo=printable(photo))
            elif rows:
                _note(options, "set.rows_otherwise", photo=printable(photo), rows=rows)
        how = {"replace": options.replace, "alike": not options.same_set}
        try:
            kept = sets.teach(name, *seen.values(), **how)
        except SetError as error:
            if error.photo is None:
                raise
            other, said = [*seen][error.photo], _explain(error, options)
            tell_failure(other, error.reason.value, said, as_json=options.json)
            return FAILED
        whole = sets.load(kept.id)
    _tell(options, set_json(kept), summary(kept, options))
    if is_terminal():
        _note(options, "set.preparing")
    with suppress(ValueError, VisionError):  # too few faces: reading with the set says so
        reader_with_set(tables, whole, config.prepared_dir)
    return DONE


def _without_copies(options: argparse.Namespace) -> list[str]:
    """Return the paths of the photographs without those whose file has the bytes of an earlier one,
    after saying of each that it is left out. A file that cannot be read stays: whoever looks at it
    says why. A pipe stays, too, because it can be read only once.
    """
    first: dict[bytes, str] = {}
    for photo in options.photos:
        try:
            digest = os.fsencode(photo) if is_open_pipe(photo) else _digest(photo)
        except (OSError, ValueError, PhotoError):
            digest = os.fsencode(photo)
        if digest in first:
            named = {"photo": printable(photo), "other": printable(first[digest])}
            _note(options, "set.photo_again", **named)
        first.setdefault(digest, photo)
    return [*first.values()]


def _digest(photo: str) -> bytes:
    return sha256(read_file(photo)).digest()


def _examples_of(sets: Sets, name: str) -> Sequence[FaceExample]:
    """Return the examples of the set with that name; none where there is no such set."""
    try:
        return sets.load(sets.find(name).id).examples
    except SetError:
        return ()


def _have_other_faces(examples: Sequence[FaceExample], known: Sequence[FaceExample]) -> bool:
    """Whether the set knows the picture of one of the examples as that of another face: colours
    were named otherwise with --rows, or a person put a face right.
    """
    faces = {one.crop.tobytes(): one.face for one in known}
    return any(faces[one.crop.tobytes()] != one.face for one in examples)


def _note(options: argparse.Namespace, key: str, **values: str) -> None:
    complain(f"burako set: {translator(options.lang)(key, **values)}")


class _BadPhoto(Exception):
    """A photograph that cannot teach anything: its path as given, and why, as the code for JSON and
    as a sentence.
    """

    def __init__(self, photo: str, error: PhotoError | SetError, message: str) -> None:
        super().__init__(f"{photo}: {message}")
        self.photo, self.code, self.message = photo, error.reason.value, message


def _look_at(
    tables: TableReader, photo: str, options: argparse.Namespace
) -> tuple[TaughtPhoto, str]:
    """Return what the photograph at the path `photo` teaches, read with the reader `tables`.
    `options` are those of the command: the colours of the rows and the language of errors. Rows
    whose ink is surely another than the colour named for them keep that colour; their numbers with
    the colours of their inks, as people read them, are returned beside it. Raises _BadPhoto where
    the photograph teaches nothing.
    """
    try:
        taught = teach_photo(tables, load_frame(photo))
        if len(options.photos) > 1:
            _check_named(taught, options.rows)
        named = name_rows(taught, options.rows)
    except PhotoError as error:
        raise _BadPhoto(photo, error, explain_photo(photo, error, options.lang)) from error
    except SetError as error:
        raise _BadPhoto(photo, error, explain_set_error(error, options.lang)) from error
    otherwise = ", ".join(
        f"{at}: {row.colour}"
        for at, (row, kept) in enumerate(zip(taught.rows, named.rows, strict=True), 1)
        if row.sure and row.colour != kept.colour
    )
    return named, otherwise


def _check_named(taught: TaughtPhoto, colours: Sequence[Colour] | None) -> None:
    """Raise SetError where the rows of one of several photographs surely have other colours than
    those that were named, perhaps for another of the photographs.
    """
    told = tuple(row.colour for row in taught.rows)
    if colours and told != colours and all(row.sure for row in taught.rows):
        raise SetError(SetTrouble.ROWS_SURE, ",".join(told))


def _list(options: argparse.Namespace) -> int:
    with open_store(config_of(options)) as store:
        kept = Sets(store).listed() if store else []
    for one in kept:
        _tell(options, set_json(one), summary(one, options))
    if not kept and not options.json:
        print(translator(options.lang)("set.none"), flush=True)
    return DONE


def _show(options: argparse.Namespace) -> int:
    kept, tile_set = _find(options)
    if options.out:
        write_whole(options.out, contact_sheet(tile_set))
    _tell(options, set_json(kept), summary(kept, options))
    return DONE


def _copies(options: argparse.Namespace) -> int:
    with open_store(config_of(options)) as store:
        if store is None:
            raise SetError(SetTrouble.UNKNOWN, options.name)
        sets = Sets(store)
        kept = sets.count(sets.find(options.name).id, dict(options.copies), DEVICE)
    _tell(options, set_json(kept), summary(kept, options))
    return DONE


def _forget(options: argparse.Namespace) -> int:
    """Delete a set. A person at a terminal is asked first; a script is not. Returns the exit
    status.
    """
    with open_store(config_of(options)) as store:
        if store is None:
            raise SetError(SetTrouble.UNKNOWN, options.name)
        sets = Sets(store)
        kept = sets.find(options.name)
        if not options.yes and is_terminal() and not _is_sure(kept, options):
            return FAILED
        sets.forget(kept.id, DEVICE)
    forget_prepared(config_of(options).prepared_dir)
    told = translator(options.lang)("set.forgotten", name=printable(kept.name))
    _tell(options, {"set": kept.name, "forgotten": True}, told)
    return DONE


def _is_sure(kept: KeptSet, options: argparse.Namespace) -> bool:
    """Ask the person at the terminal whether a set is to be deleted; no answer means no."""
    say = translator(options.lang)
    asked = say("set.forget_ask", name=printable(kept.name), count=sum(kept.counts.values()))
    yes, no = say("yes").casefold(), say("no").upper()
    return ask(f"{asked} [{yes[0]}/{no[0]}]").casefold()[:1] == yes[0]


def _export(options: argparse.Namespace) -> int:
    kept, tile_set = _find(options)
    path = options.file or Path(file_name(kept.name))
    # A device or a pipe is written to: nothing is replaced then.
    if path.is_file() and not options.force:
        raise SetError(SetTrouble.FILE_EXISTS, path)
    write_whole(path, export_set(tile_set))
    told = f"{summary(kept, options)} -> {printable(str(path))}"
    _tell(options, set_json(kept) | {"file": str(path)}, told)
    return DONE


def _import(options: argparse.Namespace) -> int:
    tile_set = read_set_file(options.file)
    with open_store(config_of(options), make=True) as store:
        assert store  # made where there was none
        name = tile_set.name if options.name is None else options.name
        kept = Sets(store).create(name, tile_set.examples, tile_set.copies)
    _tell(options, set_json(kept), summary(kept, options))
    return DONE


def _dataset(options: argparse.Namespace) -> int:
    config = config_of(options)
    photo_dir = config.photo_dir
    with open_store(config) as store:
        try:
            # `FolderPhotos` makes its folder where that is missing.
            count = write_dataset(store, FolderPhotos(photo_dir), options.out) if store else 0
        except OSError as error:
            # A full disk names no file, and where it stops a copy, the photograph first.
            path = error.filename2 or error.filename or str(options.out)
            raise OSError(error.errno, error.strerror, path) from error
    told = translator(options.lang)("set.dataset", count=count)
    _tell(options, {"out": str(options.out), "photos": count}, told)
    return DONE


def _find(options: argparse.Namespace) -> tuple[KeptSet, TileSet]:
    with open_store(config_of(options)) as store:
        if store is None:
            raise SetError(SetTrouble.UNKNOWN, options.name)
        sets = Sets(store)
        kept = sets.find(options.name)
        return kept, sets.load(kept.id)


def set_json(kept: KeptSet) -> Json:
    """Return the JSON that the commands print about a set. Its `notices` are always empty: what
    hinders teaching ends the command.
    """
    return {
        "set": kept.name,
        "faces": kept.counts,
        "missing": list(kept.missing),
        "learned": kept.learned,
        "notices": [],
    } | ({"copies": dict(kept.copies)} if kept.copies else {})


def summary(kept: KeptSet, options: argparse.Namespace) -> str:
    """Return the line that the commands print about a set for people."""
    say = translator(options.lang)
    counted = {"faces": len(kept.counts), "pictures": sum(kept.counts.values())}
    line = say("set.summary", name=printable(kept.name), **counted)
    if kept.learned:
        line += f" ({say('set.learned', count=kept.learned)})"
    if kept.missing:
        line += f". {say('set.missing', faces=' '.join(kept.missing))}"
    if kept.copies:
        odd = ", ".join(f"{face}: {count}" for face, count in kept.copies.items())
        line += f". {say('set.copies_title')}: {odd}"
    return line


def _tell(options: argparse.Namespace, as_json: Json, in_words: str) -> None:
    print(json_line(as_json) if options.json else in_words, flush=True)


_COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "teach": _teach,
    "list": _list,
    "show": _show,
    "copies": _copies,
    "forget": _forget,
    "export": _export,
    "import": _import,
    "dataset": _dataset,
}
