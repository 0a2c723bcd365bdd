"""fedcheck: does an AI kernel keep its published promises?

The public face: what the author of an adapter, an invariant or a rule imports.
Importing this package loads nothing; each name is resolved on first use (PEP 562).
"""

__version__ = "0.1.0"

_HOMES = {
    "Scenario": "invariants.scenario",
    "Trace": "invariants.trace",
    "Violation": "invariants.verdict",
    "Verdict": "invariants.verdict",
    "Parameters": "invariants.parameters",
    "Invariant": "invariants.model",
    "Clause": "invariants.model",
    "Partition": "invariants.model",
    "Source": "invariants.model",
    "Compared": "invariants.verdict",
    "TraceView": "invariants.view",
    "FedcheckError": "invariants.errors",
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
