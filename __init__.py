"""fedcheck: does an AI kernel keep its published promises?

The public face: what the author of an adapter, an invariant or a rule imports.
Importing this package loads nothing; each name is resolved on first use (PEP 562).
"""

__version__ = "0.2.0"

_HOMES = {
    "Scenario": "invariants.vocabulary.scenario",
    "Trace": "invariants.vocabulary.trace",
    "Violation": "invariants.vocabulary.verdict",
    "Verdict": "invariants.vocabulary.verdict",
    "Parameters": "invariants.vocabulary.parameters",
    "Invariant": "invariants.vocabulary.invariant",
    "Clause": "invariants.vocabulary.invariant",
    "Partition": "invariants.vocabulary.invariant",
    "Source": "invariants.vocabulary.invariant",
    "Compared": "invariants.vocabulary.verdict",
    "TraceView": "invariants.vocabulary.trace_view",
    "FedcheckError": "invariants.vocabulary.errors",
}

__all__ = [  # pyright: ignore[reportUnsupportedDunderAll]  # one table, not two
    "__version__",
    *_HOMES,
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
