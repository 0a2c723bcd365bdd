"""Judges the shards of one run together, or its parts, from their sealed records.

A run that was interrupted and resumed has parts, each of which goes on where the one before it
ended, and names its digest.

What comes out follows from the bytes of the records alone, so that whoever has them can make it
again and compare.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from msgspec.structs import replace

from ...invariants.catalog import catalog
from ...invariants.catalog import clauses as clauses_of
from ...invariants.plugins import kept_out
from ...invariants.vocabulary.codec import to_json
from ...invariants.vocabulary.errors import DocumentError
from ...reports.console.escape import printable
from ...reports.record.derivation import not_derivable
from ...reports.record.model import (
    ClauseResult,
    Counterexample,
    Distribution,
    Header,
    Incident,
    RunRecord,
    Shard,
    Share,
    WaiverResult,
)
from ...reports.record.outcome import NOT_JUDGED, Ended, exit_code, summarise
from ...reports.record.protection import weakest
from ...reports.record.reader import parse_record
from ...reports.record.shards import merged_id
from ..driving.judging import Clauses
from ..driving.measures import measure_names
from ..driving.shares import numbers, shares
from ..driving.tally import ClauseTally
from ..waivers.applying import JudgedWaiver
from .verdicts import Evidence, clause_result, folded

OWN_SETTINGS = frozenset(
    {
        "shard",
        "resume",
        "record",
        "report",
        "junit",
        "counterexamples",
        "workers",
        "dask",
        "waivers",
    }
)
"""Settings in which shards may differ; waivers are compared by what was judged of them."""

OWN_OF_PARTS = frozenset({"time", "fail_fast", "max_failures"})
"""Settings in which the parts of a resumed run may differ besides: where each of them ends."""

_SAME = {
    "suite": "was judged by another suite",
    "catalog_digest": "was judged with other plug-ins",
    "reference": "is of another kernel",
    "kernel": "is of another kernel",
    "transport": "is of a kernel that was reached otherwise",
    "requirement_set": "was judged against another requirement set",
    "selected": "judges other clauses",
    "excluded": "leaves other clauses out",
    "must_claim": "demands other capabilities",
    "seed": "has another seed",
    "profile": "has another profile",
    "examples": "explores another number of scenarios",
    "timeout": "has another deadline",
    "plugins": "was judged with other plug-ins",
}
"""What all shards of a run have in common, and what to say of one that has not."""


class Sealed(NamedTuple):
    """A record that takes part: its name in messages, its bytes, and what they say."""

    where: str
    sha256: str
    record: RunRecord

    @property
    def header(self) -> Header:
        """The header of the record."""
        return self.record.header


def sealed(data: bytes, where: str) -> Sealed:
    """Read a record that is to be merged.

    Args:
        data: its bytes.
        where: names it in messages.

    Raises:
        DocumentError: it is no whole record; see ``read_record``.
    """
    return Sealed(where, hashlib.sha256(data).hexdigest(), parse_record(data, where))


def merge(parts: Iterable[Sealed]) -> RunRecord:
    """Return the record of the run whose shards, or parts, these are, in whatever order.

    Raises:
        DocumentError: one is missing, there twice, no shard, or of another run than the others.
    """
    ordered = _in_order(list(parts))
    with kept_out(not ordered[0].header.configuration["plugins"].value):
        return _merged(ordered)


def _in_order(parts: list[Sealed]) -> list[Sealed]:
    """Return the shards from the first to the last. Raises DocumentError as ``merge``."""
    if not parts:
        raise DocumentError("there is no record to merge; name those of all shards")
    if any(part.header.resumes for part in parts):
        return _chain(parts)
    for part in parts:
        _check_shard(part)
    ordered = sorted(parts, key=lambda part: numbers(part.header.shard))
    first, count = ordered[0], numbers(ordered[0].header.shard)[1]
    for part in ordered[1:]:
        _check_count(first, part, count)
        _check_same(first, part)
    _check_whole(ordered, count)
    _check_shares(ordered, count)
    return ordered


def _chain(parts: list[Sealed]) -> list[Sealed]:
    """Return the parts of a resumed run from the first to the last. Raises as ``merge``."""
    following: dict[str, Sealed] = {}
    for part in parts:
        if reason := not_derivable(part.record):
            raise DocumentError(f"{part.where}: {reason}")
        other = following.get(part.header.resumes)
        if other is not None:
            told = f"{other.where} and {part.where} both "
            told += "go on with one record" if part.header.resumes else "begin a run"
            raise DocumentError(f"{told}; name one of them")
        following[part.header.resumes] = part
    if "" not in following:
        raise DocumentError(
            "the first part is missing: each of these goes on with another record; name that of "
            "the run that was interrupted first too"
        )
    first = following.pop("")
    ordered = [first]
    while (last := ordered[-1]).sha256 in following:
        ordered.append(following.pop(last.sha256))
    if following:
        told = ", ".join(part.where for part in following.values())
        raise DocumentError(f"{told}: goes on with a record that is not there; name it too")
    for part in ordered[1:]:
        _check_same(first, part, besides=OWN_OF_PARTS)
    _check_parts(ordered)
    return ordered


def _check_parts(ordered: Sequence[Sealed]) -> None:
    """Each part must have gone on where the one before it ended: else something was left out."""
    header = ordered[0].header
    with kept_out(not header.configuration["plugins"].value):
        left = set(shares(header.kernel, header.selected, header.examples, 1)[0])
    done: dict[str, int] = {}
    for part in ordered:
        ran = [share for share in part.record.shares if share.invariant]
        fits = {share.invariant for share in ran} == left or part.record.summary.interrupted
        if not fits or any(share.done < done.get(share.invariant, 0) for share in ran):
            raise DocumentError(
                f"{part.where}: does not go on where the part before it ended; resume that one "
                "again"
            )
        done.update({share.invariant: share.done for share in ran})
        left -= {share.invariant for share in ran if share.complete}


def _check_count(first: Sealed, part: Sealed, count: int) -> None:
    if numbers(part.header.shard)[1] != count:
        raise DocumentError(
            f"{part.where}: is shard {part.header.shard}, {first.where} is shard "
            f"{first.header.shard}: they are of different runs"
        )


def _check_shard(part: Sealed) -> None:
    if not part.header.shard:
        raise DocumentError(
            f"{part.where}: is no shard of a run; `fedcheck run --shard` writes one"
        )
    if reason := not_derivable(part.record):
        raise DocumentError(f"{part.where}: {reason}")


def _check_whole(ordered: Sequence[Sealed], count: int) -> None:
    """Each shard must be there, and once."""
    for one, other in pairwise(ordered):
        if one.header.shard == other.header.shard:
            raise DocumentError(
                f"{one.where} and {other.where} are both shard {one.header.shard}; name one of them"
            )
    places = {numbers(part.header.shard)[0] for part in ordered}
    if missing := [f"{x}/{count}" for x in range(1, count + 1) if x not in places]:
        raise DocumentError(
            f"{', '.join(missing)}: {'this shard is' if len(missing) == 1 else 'these shards are'} "
            "missing; run what is missing with --shard and --record, and name its record too"
        )


def _check_same(first: Sealed, part: Sealed, *, besides: frozenset[str] = frozenset()) -> None:
    for name, told in _SAME.items():
        ours, theirs = getattr(first.header, name), getattr(part.header, name)
        if ours != theirs:
            _refuse(first, part, told, ours, theirs)
    ours, theirs = _settings(first.header), _settings(part.header)
    for name in sorted({*ours, *theirs}):
        if name not in besides and ours.get(name) != theirs.get(name):
            told = f"has another setting {name}"
            _refuse(first, part, told, ours.get(name), theirs.get(name))
    if _judged(first.record) != _judged(part.record):
        raise DocumentError(
            f"{part.where}: judges the waivers otherwise than {first.where}; run both again on "
            "one day, with the same waivers"
        )


def _refuse(first: Sealed, part: Sealed, told: str, ours: object, theirs: object) -> None:
    shown = f"{_shown(theirs)}, there {_shown(ours)}"
    raise DocumentError(f"{part.where}: {told} than {first.where}: {shown}; run it again alike")


def _shown(value: object) -> str:
    named = getattr(value, "kernel", None) or getattr(value, "name", None)
    told = getattr(value, "version", None) or getattr(value, "digest", None) or ""
    return printable(f"{named} {told}".strip() if named else repr(value), limit=120)


def _settings(header: Header) -> dict[str, Any]:
    return {
        name: setting.value
        for name, setting in header.configuration.items()
        if name not in OWN_SETTINGS
    }


def _judged(record: RunRecord) -> list[tuple[str, ...]]:
    return [(x.id, x.clause, x.fingerprint, x.state, x.expires) for x in record.waivers]


def _check_shares(ordered: Sequence[Sealed], count: int) -> None:
    """Each shard must have run what is its to run: else something was left out, or run twice."""
    header = ordered[0].header
    with kept_out(not header.configuration["plugins"].value):
        wanted = shares(header.kernel, header.selected, header.examples, count)
    for part, own in zip(ordered, wanted, strict=True):
        ran = [share.invariant for share in part.record.shares if share.invariant]
        stopped = part.record.summary.interrupted and not ran
        if ran != own and not stopped:
            named = ", ".join(sorted({*ran} ^ {*own})) or "its order"
            raise DocumentError(
                f"{part.where}: holds other scenarios than those of shard {part.header.shard}: "
                f"{printable(named, limit=400)}; run it again"
            )


def _merged(ordered: Sequence[Sealed]) -> RunRecord:
    records = [part.record for part in ordered]
    known = clauses_of(catalog())
    header = _header(ordered)
    examples = list(_examples(records, header.selected))
    incidents = _each_once(line for record in records for line in record.incidents)
    waivers = records[0].waivers
    results = _results(records, examples, incidents, {x: known[x] for x in header.selected})
    resumed = bool(ordered[-1].header.resumes)
    ending = records[-1:] if resumed else records
    interrupted = any(record.summary.interrupted for record in ending)
    code = exit_code(results, header.deviations, waivers, header.unclaimed)
    return RunRecord(
        header=header,
        clauses=tuple(results),
        counterexamples=tuple(examples),
        incidents=tuple(incidents),
        waivers=waivers,
        distributions=tuple(_distributions(records)),
        qualification=records[0].qualification,
        summary=summarise(
            results,
            exit_code=NOT_JUDGED if interrupted else code,
            finished=max(record.summary.finished for record in records),
            interrupted=interrupted,
            ended=_ended(ending),
            protection=weakest(record.summary.protection for record in records),
        ),
    )


def _header(ordered: Sequence[Sealed]) -> Header:
    first = ordered[0].header
    together = tuple(
        Shard(
            shard=part.header.shard or f"part {place}/{len(ordered)}",
            run_id=part.header.run_id,
            sha256=part.sha256,
            started=part.header.started,
            surroundings=part.header.surroundings,
        )
        for place, part in enumerate(ordered, 1)
    )
    configuration = {x: y for x, y in first.configuration.items() if x != "shard"}
    return replace(
        first,
        run_id=merged_id(together),
        shard="",
        shards=together,
        started=min(part.header.started for part in ordered),
        configuration=configuration,
        arguments=tuple(_without_shard(first.arguments)),
    )


def _without_shard(arguments: Iterable[str]) -> Iterator[str]:
    words = iter(arguments)
    for word in words:
        if word == "--shard":
            next(words, "")
        elif not word.startswith("--shard="):
            yield word


def _ended(records: Sequence[RunRecord]) -> Ended:
    ends = {record.summary.ended for record in records}
    return "failures" if "failures" in ends else "time" if "time" in ends else ""


def _examples(records: Sequence[RunRecord], selected: Sequence[str]) -> Iterator[Counterexample]:
    """Yield one counterexample for each kind of difference: the surest, and of these the smallest.

    Those of waivers come first, as in a record of one run; the others in the catalog's order.
    """
    found: dict[tuple[str, str], list[Counterexample]] = {}
    for record in records:
        for example in record.counterexamples:
            found.setdefault((example.clause, example.kind), []).append(example)
    place = {name: number for number, name in enumerate(selected)}
    first = list(found)
    order = sorted(
        found,
        key=lambda key: (
            (0, first.index(key), "")
            if found[key][0].found_in.startswith("waiver:")
            else (1, place.get(key[0], len(place)), key[1])
        ),
    )
    chosen = {key: min(found[key], key=_rank) for key in order}
    by_id = {each.id: key for key, group in found.items() for each in group}
    for each in chosen.values():
        yield replace(each, cause=_cause(each, chosen, by_id))


def _rank(example: Counterexample) -> tuple[bool, bool, bool, int, str]:
    text = to_json(example.scenario)
    of_waiver = example.found_in.startswith("waiver:")
    return not of_waiver, not example.attempts, not example.steady, len(text), text


def _cause(
    example: Counterexample,
    chosen: Mapping[tuple[str, str], Counterexample],
    by_id: Mapping[str, tuple[str, str]],
) -> str:
    """Return the id of what stands for the cause now; empty if that has come round to itself."""
    seen = {example.id}
    at = example
    while at.cause:
        at = chosen[by_id[at.cause]]
        if at.id in seen:
            return ""
        seen.add(at.id)
    return at.id if at is not example else ""


def _each_once(lines: Iterable[Incident]) -> list[Incident]:
    return list({to_json(line): line for line in lines}.values())


def _results(
    records: Sequence[RunRecord],
    examples: Sequence[Counterexample],
    incidents: Sequence[Incident],
    selected: Clauses,
) -> list[ClauseResult]:
    """Give every clause its verdict, as ``run_suite`` does."""
    kernel = records[0].header.kernel
    capabilities = frozenset(kernel.capabilities)
    by_clause: dict[str, list[ClauseResult]] = {}
    for record in records:
        for result in record.clauses:
            by_clause.setdefault(result.clause, []).append(result)
    ran = _together(share for record in records for share in record.shares)
    results: list[ClauseResult] = []
    for name, (invariant, clause) in selected.items():
        own = by_clause.get(name, [])
        share = ran.get(invariant.id, Share(invariant=invariant.id))
        evidence = Evidence(
            tally=_tally(own),
            counterexamples=[x for x in examples if x.clause == name],
            incidents=[
                x for x in incidents if x.invariant in ("", invariant.id) and x.clause in ("", name)
            ],
            skipped=[share.skipped] if share.skipped else [],
            other_flags=share.other_flags,
            own_flags=share.own_flags,
            complete=share.complete,
            waivers=_waivers(records[0].waivers, name),
            required=any(result.required for result in own),
            seconds=share.seconds,
        )
        results.append(clause_result(invariant, clause, evidence, capabilities))
    return folded(results, selected)


def _together(told: Iterable[Share]) -> dict[str, Share]:
    """Return what all parts have done of each invariant."""
    found: dict[str, Share] = {}
    for share in told:
        known = found.get(share.invariant, Share(invariant=share.invariant))
        found[share.invariant] = replace(
            share,
            ran=known.ran + share.ran,
            complete=known.complete or share.complete,
            skipped=known.skipped or share.skipped,
            other_flags=known.other_flags or share.other_flags,
            own_flags=known.own_flags or share.own_flags,
            seconds=round(known.seconds + share.seconds, 3),
        )
    return found


def _tally(results: Iterable[ClauseResult]) -> ClauseTally:
    together = ClauseTally()
    for result in results:
        seen = Counter(result.partitions)
        together.merge(ClauseTally(result.scenarios, result.comparisons, seen))
    return together


def _waivers(waivers: Iterable[WaiverResult], clause: str) -> list[JudgedWaiver]:
    judged = [JudgedWaiver(result) for result in waivers if result.clause == clause]
    return [each for each in judged if each.applies]


def _distributions(records: Sequence[RunRecord]) -> Iterator[Distribution]:
    """Yield how each measure is spread over all shards, in the order of a record of one run."""
    counts: dict[str, Counter[float]] = {}
    known: dict[str, Distribution] = {}
    for record in records:
        for spread in record.distributions:
            known.setdefault(spread.measure, spread)
            counts.setdefault(spread.measure, Counter()).update(dict(spread.counts))
    for name in measure_names():
        if name in known:
            yield replace(known[name], counts=tuple(sorted(counts[name].items())))
