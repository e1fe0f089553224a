"""`burako judge`: reads one case a line, as JSON, and answers each case with one line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from types import MappingProxyType
from typing import Any, BinaryIO

from engine.checks import WrongValue, expect_one_of
from engine.rulesets import RuleSet
from scorer_app.cli.case_trouble import wrong
from scorer_app.cli.judge_answers import answer_hand, answer_match, answer_meld, answer_transition
from scorer_app.cli.judge_cases import check_case, read_identity, read_line, read_rules
from scorer_app.cli.options import Parser, add_language, complain, filled
from scorer_app.cli.terminal import json_text
from scorer_app.texts.languages import Language
from scorer_app.texts.translator import translator
from scorer_app.texts.wrong_values import CaseTrouble, explain_wrong

Answer = dict[str, Any]
KINDS: Mapping[str, Callable[[Mapping[str, Any], RuleSet, Language], Answer]] = MappingProxyType(
    {
        "meld": answer_meld,
        "transition": answer_transition,
        "hand": answer_hand,
        "match": answer_match,
    }
)
# One case of each kind, as the help shows them.
EXAMPLES = """\
a case of each kind, in FILE each on one line; "options" in "input" are those of the table:
  {"kind": "meld", "ruleset": "burako", "input": {"tiles": ["3R", "4R", "J"]}}
  {"kind": "transition", "ruleset": "burako", "input": {"before": [["3R", "4R", "5R"]],
    "after": [["3R", "4R", "5R", "6R"]], "added": ["6R"], "taken_to_hand": [],
    "owner": "A", "actor": "A"}}
  {"kind": "hand", "ruleset": "burako", "input": {"players": 2, "end": "stock_exhausted",
    "teams": {"A": {"melds": [["8R", "8B", "8K"]], "hands": [["2R"]], "muerto_taken": true},
    "B": {"melds": [], "hands": [["9B", "J"]], "muerto_taken": false}}}}
  {"id": 7, "kind": "match", "ruleset": "burako", "input": {"options": {"target": 2000},
    "hands": [{"A": 785, "B": 275}]}}
where "end" is "close", "closed_by" names the side; engine/REASONS.md lists the codes of answers
"""
LONGEST_CASE = 4 * 2**20  # bytes; 10,000 hands of a match have half a megabyte
DONE, SOME_FAILED, WRONG_USAGE = 0, 1, 2


def main(arguments: Sequence[str]) -> int:
    """Judge the cases in FILE or on standard input. Returns the exit status: 0 if all went well, 1
    where a line could not be processed, 2 for wrong usage or a FILE that cannot be read.
    """
    try:
        options = _parser().parse_args(arguments)
    except SystemExit as leave:  # argparse has printed its line; the code is 0 after --help
        return int(leave.code or 0)
    try:
        with open(options.file, "rb") if options.file else nullcontext(sys.stdin.buffer) as lines:
            return judge_lines(
                cut_lines(lines), sys.stdout.buffer, language=options.lang, as_json=options.json
            )
    except OSError as error:
        if error.filename is None:  # not FILE: the output is lost
            raise
        named = {"got": repr(error.filename), "what": error.strerror}
        complain(f"burako judge: {translator(options.lang)('judge.no_file', **named)}")
        return WRONG_USAGE


def _parser() -> Parser:
    parser = Parser(
        prog="burako judge",
        description="Judge melds, changes, hands and matches.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "file",
        type=filled,
        nargs="?",
        metavar="FILE",
        help="JSON Lines, one case a line; default standard input",
    )
    parser.add_argument(
        "--json", action="store_true", help="answer in JSON Lines instead of sentences"
    )
    add_language(parser)
    return parser


def cut_lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file. Of a line that is too long for a case, only the beginning is kept
    in memory and yielded; it is too long as well. Raises OSError, with the name of the file, where
    it cannot be read.
    """

    def next_part() -> bytes:
        try:
            return file.readline(LONGEST_CASE + 1)
        except OSError as error:
            raise OSError(error.errno, error.strerror, file.name) from error

    while line := next_part():
        yield line
        while len(line) > LONGEST_CASE and not line.endswith(b"\n"):
            line = next_part()


def judge_lines(lines: Iterable[bytes], out: BinaryIO, *, language: Language, as_json: bool) -> int:
    """Judge the case on every line that is not blank, in order, and write each answer to `out` at
    once: as a line of JSON, or without `as_json` as sentences in the `language`.

    An input without any such line is an error. Returns the exit status: 0, or 1 where there was no
    case or a line could not be processed.
    """
    status, empty = DONE, True
    for number, line in enumerate(lines, 1):
        if line.isspace():
            continue
        empty = False
        answer = judge_line(line, language)
        if "error" in answer:
            status = SOME_FAILED
        write(answer, out, number, language, as_json=as_json)
    if empty:
        told = refusal(wrong(CaseTrouble.EMPTY), language)
        write({"id": None, **told}, out, 1, language, as_json=as_json)
    return SOME_FAILED if empty else status


def judge_line(line: bytes, language: Language) -> Answer:
    """Return the answer to the case on one line. The answer has the keys `error` and `message`
    where the line is no valid case.
    """
    identity: object = None
    try:
        if len(line.removesuffix(b"\n")) > LONGEST_CASE:
            most = f"{LONGEST_CASE // 2**20} MiB"
            raise wrong(CaseTrouble.TOO_LONG, most=most, bytes=LONGEST_CASE)
        case = read_line(line)
        identity = read_identity(case)
        check_case(case)
        kind = case["kind"]
        if not isinstance(kind, str) or kind not in KINDS:
            raise expect_one_of("kind", [*KINDS], kind)
        rules, fields = read_rules(case)
        answer = KINDS[kind](fields, rules, language)
    except WrongValue as error:
        answer = refusal(error, language)
    except RecursionError:
        answer = refusal(wrong(CaseTrouble.TOO_DEEP), language)
    return {"id": identity, **answer}


def refusal(error: WrongValue, language: Language) -> Answer:
    """Return the answer to what is no valid case: a code, and a sentence in the `language`."""
    return {"error": error.trouble, "message": explain_wrong(error, language)}


def write(answer: Answer, out: BinaryIO, number: int, language: Language, *, as_json: bool) -> None:
    """Write an answer to `out` as one line: JSON or, for people, a sentence.

    Without `as_json` the sentence about an error goes to standard error, with `number`, the number
    of the line.
    """
    if as_json:
        out.write(json_text(answer).encode("utf-8") + b"\n")
        out.flush()
    elif "error" in answer:
        where = translator(language)("judge.line", number=number)
        if "side" in answer:  # that has an illegal meld
            where += f", {answer['side']} {' '.join(answer['tiles'])}"
        complain(f"burako judge: {where}: {answer['message']}")
    else:
        out.write(answer["message"].encode("utf-8") + b"\n")
        out.flush()
