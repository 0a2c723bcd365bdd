"""Reads a run record, and refuses one that is cut, damaged, or contradicts itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar, cast

import msgspec

from ...invariants.vocabulary.codec import convert, parse_json, to_json
from ...invariants.vocabulary.errors import DocumentError
from ..console.escape import printable
from ..console.files import reading
from .derivation import not_derivable, underivable
from .model import (
    RECORD_FORMAT,
    BodyLine,
    ClauseResult,
    Counterexample,
    Distribution,
    Footer,
    Header,
    Incident,
    Line,
    Qualification,
    RecordLine,
    RunRecord,
    Share,
    Summary,
    WaiverResult,
)
from .outcome import contradictions
from .seal import Seal, encode_line

L = TypeVar("L", bound=Line)

_BODY: dict[object, type[BodyLine]] = {
    "clause": ClauseResult,
    "counterexample": Counterexample,
    "incident": Incident,
    "waiver": WaiverResult,
    "share": Share,
    "distribution": Distribution,
    "qualification": Qualification,
}
_ANY_LINE = msgspec.json.Decoder(RecordLine)
_NOT_OURS = "give a file that `fedcheck run --record` wrote"
_OTHER_VERSION = "read it with the version of fedcheck that wrote it"
_RUN_AGAIN = "do not rely on it; run again with --record"


def read_record(path: str | Path) -> RunRecord:
    """Read the record of a finished run.

    Raises:
        DocumentError: the file cannot be read, is no record, is of another major version,
            was cut or edited, contradicts itself, or says what does not follow from the rest
            of it. The message names file and line.
    """
    where = printable(str(path))
    return parse_record(_read(Path(path)), where)


def parse_record(data: bytes, where: str) -> RunRecord:
    """Read a record from its bytes; ``where`` names them in messages. Errors as above."""
    lines = _lines(data, where)
    _check_version(lines[0], f"{where}: line 1")
    _check_footer(lines, where)
    strange: list[str] = []
    record = _assemble(lines[:-1], where, strange)
    for contradiction in (*contradictions(record), *underivable(record)):
        _refuse(where, f"contradicts itself: {printable(contradiction)}", _RUN_AGAIN)
    if strange and not not_derivable(record):
        what = "holds other fields than this version of fedcheck writes, which it names"
        _refuse(strange[0], what, _RUN_AGAIN)
    return record


def _refuse(where: str, what: str, remedy: str) -> NoReturn:
    raise DocumentError(f"{where}: {what}; {remedy}")


def _read(path: Path) -> bytes:
    with reading(path, _NOT_OURS, error=DocumentError):
        return path.read_bytes()


def _lines(data: bytes, where: str) -> list[bytes]:
    if not data:
        _refuse(where, "is empty", _NOT_OURS)
    *whole, rest = data.split(b"\n")
    if rest:
        _refuse(f"{where}: line {len(whole) + 1}", "is cut: it does not end", _RUN_AGAIN)
    return [line + b"\n" for line in whole]


def _check_version(line: bytes, where: str) -> None:
    header = _object(line, where, _NOT_OURS)
    named = header.get("format")
    if header.get("type") != "header" or not isinstance(named, str):
        _refuse(where, "is not the header of a run record", _NOT_OURS)
    if named != RECORD_FORMAT:
        told = printable(named, limit=80)
        _refuse(where, f"has format {told!r}, not {RECORD_FORMAT!r}", _OTHER_VERSION)


def _check_footer(lines: Sequence[bytes], where: str) -> None:
    place = f"{where}: line {len(lines)}"
    value = _object(lines[-1], place, _RUN_AGAIN)
    if value.get("type") != "footer":
        what = "is the last line and no footer: the run did not finish, or the record was cut"
        _refuse(place, what, _RUN_AGAIN)
    seal = Seal()
    for line in lines[:-1]:
        seal.add(line)
    if lines[-1] != encode_line(seal.footer()):
        _refuse(where, _difference(_convert(value, Footer, place), seal.footer()), _RUN_AGAIN)


def _difference(told: Footer, found: Footer) -> str:
    if told.sha256 == found.sha256:
        return f"line {found.lines + 1}: the footer was changed after the run"
    pairs = enumerate(zip(told.digests, found.digests, strict=False), start=1)
    changed = next((number for number, (old, new) in pairs if old != new), None)
    if changed is not None:
        return f"line {changed}: was changed, inserted or removed after the run"
    return f"the footer speaks of {told.lines} lines above it, {found.lines} are there"


def _assemble(lines: Sequence[bytes], where: str, strange: list[str]) -> RunRecord:
    """Return the record of these lines; ``strange`` gets the places of unknown fields."""
    places = [f"{where}: line {number}" for number in range(1, len(lines) + 1)]
    body = [
        _line(line, _BODY, place, strange)
        for line, place in zip(lines[1:-1], places[1:-1], strict=True)
    ]
    tested = _only(body, Qualification)
    if len(tested) > 1:
        _refuse(where, "says twice how the suite was tested", _RUN_AGAIN)
    return RunRecord(
        header=_line(lines[0], {"header": Header}, places[0], strange),
        clauses=_only(body, ClauseResult),
        counterexamples=_only(body, Counterexample),
        incidents=_only(body, Incident),
        waivers=_only(body, WaiverResult),
        shares=_only(body, Share),
        distributions=_only(body, Distribution),
        qualification=next(iter(tested), None),
        summary=_line(lines[-1], {"summary": Summary}, places[-1], strange),
    )


def _line(line: bytes, kinds: Mapping[object, type[L]], where: str, strange: list[str]) -> L:
    found = _quick(line, kinds)
    if found is None:
        value = _object(line, where, _RUN_AGAIN)
        found = _typed(value, kinds, where)
        if parse_json(encode_line(cast("RecordLine", found)), where) != value:
            strange.append(where)
    return found


def _quick(line: bytes, kinds: Mapping[object, type[L]]) -> L | None:
    """Return a line several times as fast, if it is as this version writes it; else ``None``.

    Then it holds no key twice, and nothing that msgspec reads otherwise than the standard
    parser. The slow way decides over all other lines, and finds the words for what is wrong.
    """
    try:
        found = _ANY_LINE.decode(line)
        if isinstance(found, tuple(kinds.values())) and _as_written(found, line):
            return found
    except (DocumentError, ValueError, RecursionError):
        pass
    return None


def _as_written(found: Line, line: bytes) -> bool:
    if msgspec.json.encode(found, order="sorted") + b"\n" == line:
        return True
    return b"\\u" in line and to_json(found).encode("ascii") + b"\n" == line  # slower


def _typed(value: dict[str, Any], kinds: Mapping[object, type[L]], where: str) -> L:
    kind = kinds.get(str(value.get("type")))
    if kind is None:
        named = printable(str(value.get("type")), limit=80)
        _refuse(where, f"a line of type {named!r} does not belong here", _OTHER_VERSION)
    return _convert(value, kind, where)


def _only(body: Sequence[Line], kind: type[L]) -> tuple[L, ...]:
    return tuple(line for line in body if isinstance(line, kind))


def _object(line: bytes, where: str, remedy: str) -> dict[str, Any]:
    try:
        value = parse_json(line, where)
    except DocumentError:
        value = None
    if not isinstance(value, dict):
        _refuse(where, "is not a JSON object", remedy)
    return cast("dict[str, Any]", value)


def _convert(value: dict[str, Any], kind: type[L], where: str) -> L:
    try:
        return convert(value, kind, where)
    except DocumentError as error:
        raise DocumentError(f"{error}; {_RUN_AGAIN}") from None
