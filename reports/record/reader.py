"""Reads a run record, and refuses one that is cut, damaged, or contradicts itself."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from io import BytesIO
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
from .on_demand import OnDemand
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
_COUNTEREXAMPLE = msgspec.json.Decoder(Counterexample)
_FASTEST = 1
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
    with reading(Path(path), _NOT_OURS, error=DocumentError), Path(path).open("rb") as file:
        packed, seal = _packed(file, where)
    return _parse(packed, seal, where)


def parse_record(data: bytes, where: str) -> RunRecord:
    """Read a record from its bytes; ``where`` names them in messages. Errors as above."""
    return _parse(*_packed(BytesIO(data), where), where)


def _parse(packed: Sequence[bytes], seal: Seal, where: str) -> RunRecord:
    _check_version(zlib.decompress(packed[0]), f"{where}: line 1")
    _check_footer(zlib.decompress(packed[-1]), seal.footer(), where)
    strange: list[str] = []
    record = _assemble(packed[:-1], where, strange)
    for contradiction in (*contradictions(record), *underivable(record)):
        _refuse(where, f"contradicts itself: {printable(contradiction)}", _RUN_AGAIN)
    if strange and not not_derivable(record):
        what = "holds other fields than this version of fedcheck writes, which it names"
        _refuse(strange[0], what, _RUN_AGAIN)
    return record


def _refuse(where: str, what: str, remedy: str) -> NoReturn:
    raise DocumentError(f"{where}: {what}; {remedy}")


def _packed(file: Iterable[bytes], where: str) -> tuple[list[bytes], Seal]:
    """Return the lines of a record, packed, and the seal of all but the last one.

    So a long record takes little memory, and what is parsed, now or later, is what was sealed.
    """
    packed: list[bytes] = []
    seal, last = Seal(), b""
    for line in file:
        if last:
            seal.add(last)
        packed.append(zlib.compress(line, _FASTEST))
        last = line
    if not last:
        _refuse(where, "is empty", _NOT_OURS)
    if not last.endswith(b"\n"):
        _refuse(f"{where}: line {len(packed)}", "is cut: it does not end", _RUN_AGAIN)
    return packed, seal


def _check_version(line: bytes, where: str) -> None:
    header = _object(line, where, _NOT_OURS)
    named = header.get("format")
    if header.get("type") != "header" or not isinstance(named, str):
        _refuse(where, "is not the header of a run record", _NOT_OURS)
    if named != RECORD_FORMAT:
        told = printable(named, limit=80)
        _refuse(where, f"has format {told!r}, not {RECORD_FORMAT!r}", _OTHER_VERSION)


def _check_footer(line: bytes, found: Footer, where: str) -> None:
    place = f"{where}: line {found.lines + 1}"
    value = _object(line, place, _RUN_AGAIN)
    if value.get("type") != "footer":
        what = "is the last line and no footer: the run did not finish, or the record was cut"
        _refuse(place, what, _RUN_AGAIN)
    if line != encode_line(found):
        _refuse(where, _difference(_convert(value, Footer, place), found), _RUN_AGAIN)


def _difference(told: Footer, found: Footer) -> str:
    if told.sha256 == found.sha256:
        return f"line {found.lines + 1}: the footer was changed after the run"
    pairs = enumerate(zip(told.digests, found.digests, strict=False), start=1)
    changed = next((number for number, (old, new) in pairs if old != new), None)
    if changed is not None:
        return f"line {changed}: was changed, inserted or removed after the run"
    return f"the footer speaks of {told.lines} lines above it, {found.lines} are there"


def _assemble(packed: Sequence[bytes], where: str, strange: list[str]) -> RunRecord:
    """Return the record of these lines; ``strange`` gets the places of unknown fields."""
    body: list[BodyLine] = []
    examples: list[bytes | Counterexample] = []
    for number, each in enumerate(packed[1:-1], start=2):
        line = zlib.decompress(each)
        quick = _quick(line, _BODY)
        found = quick or _slowly(line, _BODY, f"{where}: line {number}", strange)
        if isinstance(found, Counterexample):
            examples.append(each if quick else found)
        else:
            body.append(found)
    tested = _only(body, Qualification)
    if len(tested) > 1:
        _refuse(where, "says twice how the suite was tested", _RUN_AGAIN)
    return RunRecord(
        header=_line(packed[0], {"header": Header}, f"{where}: line 1", strange),
        clauses=_only(body, ClauseResult),
        counterexamples=OnDemand(partial(_example, examples), range(len(examples))),
        incidents=_only(body, Incident),
        waivers=_only(body, WaiverResult),
        shares=_only(body, Share),
        distributions=_only(body, Distribution),
        qualification=next(iter(tested), None),
        summary=_line(packed[-1], {"summary": Summary}, f"{where}: line {len(packed)}", strange),
    )


def _example(kept: Sequence[bytes | Counterexample], place: int) -> Counterexample:
    """Return a counterexample that was read before: packed, or whole where reading it is slow."""
    found = kept[place]
    if isinstance(found, bytes):
        return _COUNTEREXAMPLE.decode(zlib.decompress(found))
    return found


def _line(packed: bytes, kinds: Mapping[object, type[L]], where: str, strange: list[str]) -> L:
    line = zlib.decompress(packed)
    return _quick(line, kinds) or _slowly(line, kinds, where, strange)


def _slowly(line: bytes, kinds: Mapping[object, type[L]], where: str, strange: list[str]) -> L:
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
