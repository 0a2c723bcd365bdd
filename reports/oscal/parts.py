"""The parts that all OSCAL documents are made of: names, texts, metadata, resources."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from ..console.escape import printable
from ..record.ids import URN, machine_json_pieces, stable_uuid
from ..record.model import RunRecord

OSCAL_VERSION = "1.2.1"
NAMESPACE = f"{URN}:oscal"
RMF = "http://csrc.nist.gov/ns/rmf"
LIMIT = 2000
"""Characters shown of one text."""

Node = dict[str, Any]

_TOKEN = re.compile(r"[A-Za-z_][A-Za-z0-9._-]*")
_MARKDOWN = re.compile(r"[\\`*_\[\]<>&]")


def document_pieces(name: str, body: Node) -> Iterator[str]:
    """Yield a document as JSON text, ASCII only, piece by piece."""
    return machine_json_pieces({name: body})


def one_by_one(nodes: Iterable[Node]) -> Iterator[Node] | list[Node]:
    """Return nodes to be made when they are written; an empty list if there are none.

    OSCAL allows no empty list, so that whoever takes them must be able to see it.
    """
    rest = iter(nodes)
    first = next(rest, None)
    return [] if first is None else chain([first], rest)


def slim(node: Node) -> Node:
    """Return a node without empty values: OSCAL allows no empty list and no empty text."""
    return {key: value for key, value in node.items() if value not in ("", None, [], {}, ())}


def token(name: str) -> str:
    """Return a name as an OSCAL token; one that is none becomes its digest."""
    if _TOKEN.fullmatch(name):
        return name
    return "id-" + hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def objective(clause: str) -> str:
    """Return the id of the assessment objective that a clause is."""
    return token(clause.replace("/", ".", 1)) + "_obj"


def markup(text: str) -> str:
    """Return a text as OSCAL markup that shows it as it is: no Markdown, no HTML."""
    return _MARKDOWN.sub(r"\\\g<0>", printable(text, limit=LIMIT)).strip() or "none"


def prop(name: str, value: object, *, ns: str = NAMESPACE) -> list[Node]:
    """Return a property in a list; none where there is no value."""
    text = printable(str(value), limit=LIMIT).strip()
    return [{"name": name, "ns": ns, "value": text}] if text else []


def props(values: Iterable[tuple[str, object]]) -> list[Node]:
    """Return properties, without those that have no value."""
    return [node for name, value in values for node in prop(name, value)]


def metadata(
    title: str,
    modified: str,
    version: str,
    parties: Sequence[Node] = (),
    roles: Sequence[Node] = (),
) -> Node:
    """Return the metadata of a document."""
    return slim(
        {
            "title": markup(title),
            "last-modified": modified,
            "version": printable(version, limit=LIMIT).strip() or "0",
            "oscal-version": OSCAL_VERSION,
            "roles": list(roles),
            "parties": list(parties),
        }
    )


def resource(uuid: str, title: str, description: str, **more: Any) -> Node:
    """Return a resource of the back matter."""
    return slim({"uuid": uuid, "title": markup(title), "description": markup(description), **more})


def document_resource(uuid: str, title: str, name: str, text: Iterable[str]) -> Node:
    """Return a resource that is another of our documents, beside this one, with its SHA-256."""
    digest = hashlib.sha256()
    for piece in text:
        digest.update(piece.encode("ascii"))
    link = {
        "href": f"{name}.json",
        "media-type": "application/oscal+json",
        "hashes": [{"algorithm": "SHA-256", "value": digest.hexdigest()}],
    }
    return resource(uuid, title, f"The document that fedcheck writes as {name}.", rlinks=[link])


def embedded(uuid: str, title: str, description: str, filename: str, data: bytes) -> Node:
    """Return a resource that holds its file."""
    held = {
        "filename": filename,
        "media-type": "application/json",
        "value": base64.b64encode(data).decode("ascii"),
    }
    return resource(uuid, title, description, base64=held)


def kernel_uuid(record: RunRecord) -> str:
    """Return the UUID of the component that was judged; the same in all documents of a run."""
    kernel = record.header.kernel
    return stable_uuid("kernel", kernel.kernel, kernel.version, kernel.commit)


def suite_uuid(record: RunRecord) -> str:
    """Return the UUID of the component that judged."""
    suite = record.header.suite
    return stable_uuid("suite", suite.name, suite.version, suite.digest)


def kernel_component(record: RunRecord) -> Node:
    """Return the kernel as a component."""
    kernel, header = record.header.kernel, record.header
    what = "The recorded system" if header.is_audit else "The kernel"
    told = (
        ("version", kernel.version),
        ("commit", kernel.commit),
        ("digest", kernel.digest),
        ("reference", header.reference),
        ("transport", header.transport),
        ("protection", record.summary.protection),
        ("capabilities", ", ".join(kernel.capabilities)),
    )
    return {
        "uuid": kernel_uuid(record),
        "type": "software",
        "title": markup(kernel.kernel),
        "description": markup(f"{what} {kernel.kernel}, version {kernel.version}."),
        "props": props(told),
    }


def suite_component(record: RunRecord) -> Node:
    """Return the suite as a component."""
    suite = record.header.suite
    told = (("version", suite.version), ("digest", suite.digest))
    return {
        "uuid": suite_uuid(record),
        "type": "software",
        "title": markup(suite.name),
        "description": "The conformance suite that judged.",
        "props": props(told),
        "status": {"state": "operational"},
    }


def assets(record: RunRecord) -> Node:
    """Return what the assessment used: the suite, on its platform."""
    where = record.header.surroundings
    told = (("python", where.python), ("platform", where.platform), *where.packages.items())
    platform = {
        "uuid": stable_uuid("platform", record.header.run_id),
        "title": "Where the run took place",
        "props": props((token(name), value) for name, value in told),
        "uses-components": [{"component-uuid": suite_uuid(record)}],
    }
    return {"components": [suite_component(record)], "assessment-platforms": [slim(platform)]}
