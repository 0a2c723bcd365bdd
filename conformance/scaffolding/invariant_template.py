"""Writes a new invariant with its broken kernel: an installable plug-in, or in fedcheck's tree."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from string import Template

from ...invariants.catalog import catalog
from ...invariants.plugins import is_invariant_id
from ...invariants.vocabulary.errors import UsageError
from ...reports.console.files import writing

_SUFFIX = ".txt"
_FOLDERS = {
    "__init__.py": "{package}/__init__.py",
    "invariant.py": "{package}/invariant.py",
    "broken.py": "{package}/broken.py",
    "test_invariant.py": "tests/test_{package}.py",
}
"""Where the files go that are not at the top."""

_RELATIVE = {
    "from fedcheck import Clause, Compared, Invariant, Parameters, Partition, Scenario, Source, "
    "Violation\n"
    "from fedcheck.invariants.vocabulary.scenario import Turn\n"
    "from fedcheck.invariants.vocabulary.trace import Reply\n": """\
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import Scenario, Turn
from ...vocabulary.sources import context_channels
from ...vocabulary.trace import Reply
from ...vocabulary.verdict import Compared, Violation
""",
    "from fedcheck import TraceView": "from ...vocabulary.trace_view import TraceView",
    'Source("our handbook", "Replies")': (
        'context_channels("Post-turn — the narrator and the user see")'
    ),
}
"""What the judge's module says otherwise inside the tree."""

_KERNEL = '''\
"""Kernels that break $id."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from ...invariants.vocabulary.scenario import Turn
from ...invariants.vocabulary.trace import AnyEvent, Reply
from ..reference import ReferenceKernel
from .table import Mutants

LONG = 200
MUTANTS = Mutants()


@MUTANTS.broken("$name", "$id/reply-shown")
class Swallowing(ReferenceKernel):
    """Swallows long replies."""

    def turn(self, step: Turn) -> Iterable[AnyEvent]:
        """Show the user nothing where the reply is long."""
        for event in super().turn(step):
            long = isinstance(event, Reply) and len(event.text) >= LONG
            yield replace(event, text="") if long else event
'''

_IN_TREE = """\
Put your own promise in place of the sample's, in both files. Then, in this order:
  1. invariants/traceability/*.json: name the clauses in the statement that promises them.
  2. fixtures/mutants/__init__.py: import {package} and add it to one of the groups, or move the
     kernel into the module of its subject. Each clause needs a kernel that breaks it. A kernel that
     trips further clauses names them in `also=`; kernels that were there and trip the new clause
     name it in fixtures/mutants/besides.json.
  3. invariants/unscored.json: each new MUST clause, "{id}/reply-shown": "reason", until a new set
     in invariants/requirement_sets/ demands it.
  4. fedcheck traceability --write docs
  5. python -m fedcheck.conformance.qualify --write -n 2
  6. python -m pytest -n 2 tests/test_catalog.py tests/test_requirements.py
     python -m pytest -n 2 tests/test_traceability.py tests/reports/test_qualification_data.py
     python -m pytest -n 2 tests/test_kill_table.py
     python -m pytest -n 2 tests/test_kill_table.py -m 'slow or not slow' -k 'trips and {name}'
     python -m pytest -n 2 tests/test_tolerance_table.py -m 'slow or not slow' -k 'not seeds'
  7. ruff format . && ruff check . && pyright, then bash .ci/run
The fourth command writes docs/traceability.md and .json, the fifth fixtures/qualification.json and
fixtures/mutants/catches.json. By hand: CHANGELOG.md."""


def plugin_files(invariant_id: str) -> dict[str, str]:
    """Return the files of a plug-in for an invariant of this id, by path.

    Raises:
        UsageError: the id is not allowed, or taken.
    """
    if not is_invariant_id(invariant_id):
        raise UsageError(
            f"{invariant_id!r} is no id; use words of capital letters and digits joined by "
            "hyphens, such as ACME-REPLY-SHOWN"
        )
    if invariant_id in {invariant.id for invariant in catalog()}:
        raise UsageError(f"{invariant_id} exists already; `fedcheck explain` tells about it")
    name = invariant_id.lower()
    names = {"id": invariant_id, "name": name, "package": name.replace("-", "_")}
    found: dict[str, str] = {}
    for template in (files("fedcheck.fixtures") / "samples" / "plugin").iterdir():
        plain = template.name.removesuffix(_SUFFIX)
        path = _FOLDERS.get(plain, plain).format_map(names)
        found[path] = Template(template.read_text("utf-8")).substitute(names)
    return dict(sorted(found.items()))


def write_in_tree(invariant_id: str, room: str, tree: Path) -> tuple[list[Path], str]:
    """Write an invariant and its broken kernel into the source tree; return the files, and how on.

    Args:
        invariant_id: ``C-…`` or ``I-…``.
        room: folder of ``invariants/judges``, by subject.
        tree: the root of fedcheck's checkout.

    Raises:
        UsageError: the id or the room is not allowed, a file is there, or this is no checkout.
    """
    every = plugin_files(invariant_id)
    judges = tree / "invariants" / "judges"
    if not judges.is_dir():
        raise UsageError(f"{tree}: this is not the root of fedcheck's checkout; go there")
    rooms = sorted(path.parent.name for path in judges.glob("*/__init__.py"))
    if room not in rooms:
        raise UsageError(f"--room {room}: there is no such room; take one of {', '.join(rooms)}")
    if not invariant_id.startswith(("I-", "C-")):
        raise UsageError(
            f"{invariant_id}: begin it with I- for a name that the documents use, or with C-"
        )
    name = invariant_id.lower()
    package = name.replace("-", "_")
    judge = every[f"{package}/invariant.py"]
    for plugin, own in _RELATIVE.items():
        judge = judge.replace(plugin, own)
    files = {
        judges / room / f"{package}.py": judge,
        tree / "fixtures" / "mutants" / f"{package}.py": Template(_KERNEL).substitute(
            id=invariant_id, name=name
        ),
    }
    for path, text in files.items():
        with writing(path, "rename the file in the way"), path.open("x", encoding="utf-8") as file:
            file.write(text)
    return list(files), _IN_TREE.format(id=invariant_id, package=package, name=name)


def write_plugin(invariant_id: str, folder: Path) -> list[Path]:
    """Write a plug-in into a folder; return the paths.

    Raises:
        UsageError: the id is not allowed, the folder holds something, or cannot be written.
    """
    every = plugin_files(invariant_id)
    with writing(folder, "name another folder"):
        if folder.exists() and any(folder.iterdir()):
            raise UsageError(f"{folder}: the folder is not empty; name a new one")
        for name, text in every.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return [folder / name for name in every]
