"""How a run judged, as an OSCAL assessment plan."""

from __future__ import annotations

from collections.abc import Iterator

from ...invariants.vocabulary.verdict import Verdict
from ..record.ids import stable_uuid
from ..record.model import RunRecord
from .component import claimed
from .parts import (
    Node,
    assets,
    document_pieces,
    kernel_component,
    kernel_uuid,
    markup,
    metadata,
    objective,
    one_by_one,
    props,
    resource,
    slim,
    token,
)

_NO_PLAN = (
    "There is no system security plan: a kernel was judged as such, outside any system. "
    "The kernel and the suite are described in this document."
)


def oscal_plan(record: RunRecord) -> Iterator[str]:
    """Yield what a run was asked to do."""
    header = record.header
    none = stable_uuid("plan", "ssp", header.run_id)
    kernel = {**kernel_component(record), "status": {"state": "operational"}}
    body = {
        "uuid": stable_uuid("oscal-plan", header.run_id),
        "metadata": metadata(
            f"Assessment of {header.kernel.kernel}", header.started, header.suite.version
        ),
        "import-ssp": {"href": f"#{none}"},
        "local-definitions": {"components": [slim(kernel)], "activities": [_activity(record)]},
        "reviewed-controls": reviewed_controls(record),
        "assessment-subjects": [
            {
                "type": "component",
                "include-subjects": [{"subject-uuid": kernel_uuid(record), "type": "component"}],
            }
        ],
        "assessment-assets": assets(record),
        "tasks": [_task(record)],
        "back-matter": {
            "resources": [resource(none, "No system security plan", _NO_PLAN)],
        },
    }
    return document_pieces("assessment-plan", body)


def reviewed_controls(record: RunRecord) -> Node:
    """Return what was judged; what the kernel does not claim is excluded, with the reason."""
    groups = record.by_invariant()
    included = [x for x, results in groups.items() if claimed(results)]
    clauses = [x for results in groups.values() for x in claimed(results)]
    unclaimed = [x for x in record.clauses if x.verdict is Verdict.NOT_CLAIMED]
    selection: Node = {
        "description": "The invariants that were judged.",
        "include-controls": one_by_one({"control-id": token(x)} for x in included),
    }
    if not included:  # OSCAL has no empty selection
        selection = {
            "description": "None: nothing that was selected could be judged.",
            "include-all": {},
            "exclude-controls": [{"control-id": token(x)} for x in groups],
        }
    objectives = {
        "description": "The clauses that were judged.",
        "include-objectives": one_by_one({"objective-id": objective(x.clause)} for x in clauses),
        "exclude-objectives": one_by_one(
            {"objective-id": objective(x.clause), "remarks": markup(x.reason or "not claimed")}
            for x in unclaimed
        ),
    }
    left_out = sorted(record.header.excluded.items())
    return slim(
        {
            "props": props(("left-out", f"{clause}: {why}") for clause, why in left_out),
            "control-selections": [_kept(selection)],
            "control-objective-selections": [slim(objectives)] if clauses else [],
        }
    )


def _kept(selection: Node) -> Node:
    return {key: value for key, value in selection.items() if value != []}


_DRIVEN = "Fixed scenarios, then drawn ones; each trace is judged clause by clause."
_RECORDED = "Each recorded conversation is judged clause by clause; no kernel is run."


def _activity(record: RunRecord) -> Node:
    header = record.header
    told = (
        ("requirement-set", header.requirement_set.name),
        ("requirement-set-digest", header.requirement_set.digest),
        ("catalog-digest", header.catalog_digest),
        ("profile", header.profile),
        ("seed", header.seed),
        ("examples", header.examples),
        ("timeout-seconds", f"{header.timeout:g}"),
    )
    return {
        "uuid": _activity_uuid(record),
        "title": "Judge the recording" if header.is_audit else "Judge the kernel",
        "description": _RECORDED if header.is_audit else _DRIVEN,
        "props": props(told),
    }


def _task(record: RunRecord) -> Node:
    subjects: list[Node] = [{"type": "component", "include-all": {}}]
    return {
        "uuid": stable_uuid("task", record.header.run_id),
        "type": "action",
        "title": "One run of the suite",
        "associated-activities": [{"activity-uuid": _activity_uuid(record), "subjects": subjects}],
    }


def _activity_uuid(record: RunRecord) -> str:
    return stable_uuid("activity", record.header.run_id)
