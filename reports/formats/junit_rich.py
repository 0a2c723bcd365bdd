"""JUnit XML with properties at every test case, for readers that know more than the schema.

The plain ``junit`` format is what the Jenkins schema allows. This one says in addition what a
test case of that schema cannot: raw verdict, what was tried, and the waiver with its last day.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree as ET

from ..record.model import ClauseResult, RunRecord
from ..wording.clause_text import short
from .junit import junit_pieces, test_case


def junit_rich_xml(record: RunRecord) -> Iterator[str]:
    """Yield a record as JUnit XML with properties, suite by suite; to be written as UTF-8."""
    expires = {waiver.id: waiver.expires for waiver in record.waivers}

    def rich_case(record: RunRecord, result: ClauseResult, seconds: float) -> ET.Element:
        case = test_case(record, result, seconds)
        case.insert(0, _properties(result, expires))
        return case

    return junit_pieces(record, rich_case)


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
