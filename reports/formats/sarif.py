"""The record as SARIF 2.1.0, for code-scanning views.

Only what has to be looked at becomes a result: viewers show every result as an alert, also
one of kind ``pass``. A kernel has no source line, so results point at the configuration file
and name the clause as logical location.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from ..record.model import ClauseResult, RunRecord
from ..record.outcome import NOT_JUDGED
from ..wording.clause_text import short
from ..wording.concerns import RUN, Concern, concerns, of_run
from ..wording.sarif_parts import (
    FINGERPRINT,
    RESULTS_LIMIT,
    artifact,
    identifier,
    log_pieces,
    plain,
    rule,
    suppression,
    tool,
)

PLACE = "fedcheck.toml"
"""Where alerts of a run point at: the file that says how the kernel is judged."""


def sarif(record: RunRecord) -> Iterator[str]:
    """Yield a record as a SARIF log, piece by piece."""
    found = islice(concerns(record), RESULTS_LIMIT)
    judged = list(record.in_order())
    known = {short(result.clause): index for index, result in enumerate(judged)}
    known[RUN] = len(judged)
    rules = chain(map(_rule, judged), [_rule_of_run()] if any(of_run(record)) else [])
    header = record.header
    run = {
        "tool": tool(header.suite.version, rules),
        "automationDetails": {"id": f"fedcheck/{short(header.requirement_set.name)}/"},
        "invocations": [_invocation(record)],
        "columnKind": "unicodeCodePoints",
        "results": (_result(x, known[x.clause]) for x in found),
        "properties": {
            "kernel": short(header.kernel.kernel),
            "kernelVersion": short(header.kernel.version),
            "runId": short(header.run_id),
            "seed": header.seed,
        },
    }
    return log_pieces(run)


def _rule(result: ClauseResult) -> dict[str, Any]:
    sources = f"\nSource: {short('; '.join(result.sources))}" if result.sources else ""
    return rule(
        short(result.clause),
        name=identifier(short(result.clause)),
        summary=short(result.sentence),
        help_text=short(result.sentence) + sources,
        level="error" if result.gating else "warning",
        tags=("conformance", short(result.invariant), result.level),
    )


def _rule_of_run() -> dict[str, Any]:
    summary = "The run as a whole is in order."
    return rule(
        RUN,
        name=identifier(f"the {RUN}"),
        summary=summary,
        help_text=summary,
        level="error",
        tags=(),
    )


def _result(concern: Concern, index: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": concern.clause,
        "ruleIndex": index,
        "kind": "fail",
        "level": concern.level,
        "message": {"text": plain(f"{concern.message}\n{concern.details}")},
        "locations": [_location(concern.clause)],
        "partialFingerprints": {FINGERPRINT: concern.fingerprint},
        "properties": {"verdict": concern.verdict},
    }
    if concern.verdict == "waived":
        result["suppressions"] = [_waived(concern)]
    return result


def _waived(concern: Concern) -> dict[str, Any]:
    waiver = concern.waiver
    if waiver is None:
        return suppression("external", plain(concern.message))
    return suppression(
        "external",
        plain(short(waiver.reason)),
        waiver=short(waiver.id),
        expires=short(waiver.expires),
        approvedBy=short(waiver.approved_by),
        ticket=short(waiver.ticket),
    )


def _location(clause: str) -> dict[str, Any]:
    return {
        "physicalLocation": {"artifactLocation": artifact(PLACE), "region": {"startLine": 1}},
        "logicalLocations": [{"fullyQualifiedName": clause, "kind": "clause"}],
    }


def _invocation(record: RunRecord) -> dict[str, Any]:
    told: dict[str, Any] = {
        "executionSuccessful": record.summary.exit_code != NOT_JUDGED,
        "exitCode": record.summary.exit_code,
        "startTimeUtc": record.header.started,
        "endTimeUtc": record.summary.finished,
        "arguments": [short(argument) for argument in record.header.arguments],
    }
    if record.incidents:
        told["toolExecutionNotifications"] = [
            {"level": "error", "message": {"text": plain(short(f"{x.kind}: {x.message}"))}}
            for x in record.incidents
        ]
    return told
