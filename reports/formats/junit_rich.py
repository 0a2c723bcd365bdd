"""JUnit XML with properties at every test case, for readers that know more than the schema.

The plain ``junit`` format is what the Jenkins schema allows. This one says in addition what a
test case of that schema cannot: raw verdict, what was tried, and the waiver with its last day.
"""

from __future__ import annotations

from itertools import chain
from xml.etree import ElementTree as ET

from ..record.model import ClauseResult, RunRecord
from ..wording.clause_text import short
from .junit import junit_text, junit_tree


def junit_rich_xml(record: RunRecord) -> str:
    """Return a record as JUnit XML with properties; to be written as UTF-8."""
    root = junit_tree(record)
    results = chain.from_iterable(record.by_invariant().values())
    expires = {waiver.id: waiver.expires for waiver in record.waivers}
    for result, case in zip(results, root.iter("testcase"), strict=False):
        case.insert(0, _properties(result, expires))
    return junit_text(root)


def _properties(result: ClauseResult, expires: dict[str, str]) -> ET.Element:
    values = {
        "level": result.level,
        "required": str(result.required).lower(),
        "verdict": result.verdict.value,
        "effective verdict": result.effective.value,
        "scenarios": str(result.scenarios),
        "comparisons": str(result.comparisons),
        "sources": "; ".join(result.sources),
        "partitions": ", ".join(f"{name}: {n}" for name, n in result.partitions.items()),
        "missing partitions": ", ".join(result.missing_partitions),
        "counterexamples": ", ".join(result.counterexamples),
        "waiver": result.waiver,
        "waiver expires": expires.get(result.waiver, ""),
    }
    properties = ET.Element("properties")
    for name, value in values.items():
        if value:
            ET.SubElement(properties, "property", name=name, value=short(value))
    return properties
