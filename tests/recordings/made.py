"""What the tests of recordings share: the generator of the benchmarks, an audit in this process."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

from fedcheck.conformance.recordings.auditing import Asked, Audit, Audited
from fedcheck.conformance.recordings.mapping import Mapping

REAL = Path(__file__).parent / "real"
ROOT = Path(__file__).resolve().parents[2]


def generator() -> ModuleType:
    """Return `benchmarks/made_recordings.py`, which is no part of the package."""
    name = "made_recordings"
    if name not in sys.modules:
        path = ROOT / "benchmarks" / f"{name}.py"
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


def audited(*targets: Path | str, mapping: Mapping | None = None) -> Audited:
    """Audit files in this process."""
    asked = Asked(tuple(map(str, targets)), mapping or Mapping())
    with Audit(asked) as audit:
        return audit.run()


def real(name: str) -> Audited:
    """Audit one of the real recordings."""
    return audited(REAL / f"{name}.otlp.json.gz")


def seen(found: Audited) -> dict[str, tuple[int, int, int]]:
    """Turns kept, broken and not judgeable, by the name of the clause."""
    return {
        clause.partition("/")[2]: (tally.turns_kept, tally.turns_broken, tally.turns_open)
        for clause, tally in found.judged.tallies.items()
    }


def reasons(found: Audited, name: str) -> Counter[str]:
    """Why turns could not be judged by a clause."""
    return next(t.reasons for c, t in found.judged.tallies.items() if c.endswith(name))


def told(found: Audited) -> object:
    """All that an audit counts and keeps, to compare two of them."""
    judged = found.judged
    tallies = {
        clause: (
            vars(tally) | {"breaches": {kind: sorted(x) for kind, x in tally.breaches.items()}}
        )
        for clause, tally in sorted(judged.tallies.items())
    }
    return tallies, judged.remarks.counts, judged.remarks.places, judged.days, found.files
