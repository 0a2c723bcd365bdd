"""The pytest plug-in: judges a kernel, one item per clause.

A kernel team adds two lines to its own tests, and gets one test for each clause::

    from fedcheck.conformance.pytest_plugin import test_clause
    fedcheck_kernel = "my_package.my_module:Kernel"

An agent, ``agent:module:attribute``, has ``fedcheck_python`` beside it, or ``--fedcheck-python``.

Without a file of one's own: ``pytest --pyargs fedcheck.invariants --fedcheck-kernel REF``. The
kernel comes from ``--fedcheck-kernel``, else from the test module's ``fedcheck_kernel``, else it
is the embedded reference kernel. Each invariant is judged by its own scenarios, when the first of
its items runs. One item more, ``kernel``, is about the kernel as a whole.

pytest imports this module at every start, used or not, so nothing but a few small modules of
fedcheck is imported until a clause is collected.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, cast

import pytest

from ..invariants.test_clauses import test_clause

if TYPE_CHECKING:
    from .pytest_items import JudgedItem

__all__ = ["test_clause"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the plug-in; what is not given is what ``fedcheck run`` does."""
    group = parser.getgroup("fedcheck", "conformance of an AI kernel")
    group.addoption("--fedcheck-kernel", metavar="REF", help="the kernel to judge")
    group.addoption(
        "--fedcheck-examples",
        type=_whole,
        metavar="N",
        help="scenarios to explore per invariant, beyond the fixed ones",
    )
    group.addoption("--fedcheck-seed", type=_whole, metavar="N", help="what exploration draws from")
    group.addoption(
        "--fedcheck-timeout",
        type=_positive,
        metavar="SECONDS",
        help="deadline of one call to the kernel",
    )
    group.addoption(
        "--fedcheck-python",
        metavar="PATH",
        help="the interpreter that agent:module:attribute runs in, such as .venv/bin/python",
    )
    group.addoption(
        "--fedcheck-pass-env",
        action="append",
        metavar="NAME",
        help="give the kernel's process this variable; others but the usual ones are withheld",
    )
    group.addoption(
        "--fedcheck-sandbox",
        choices=("auto", "on", "off"),
        help="namespaces for the kernel: where the system permits it, in any case, or none",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Refuse a kernel reference that names nothing before anything is collected."""
    reference = config.getoption("--fedcheck-kernel")
    if reference is None:
        return
    from ..invariants.vocabulary.errors import UsageError
    from .adapters.own_process import Hosting
    from .adapters.reference import open_kernel

    hosting = Hosting(python=config.getoption("--fedcheck-python") or "")
    try:
        open_kernel(reference, hosting=hosting).close()
    except UsageError as error:
        raise pytest.UsageError(f"--fedcheck-kernel: {error}") from None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one item per clause, and one for the kernel, of a test that asks for them."""
    if "fedcheck_clause" in metafunc.fixturenames:
        from .pytest_items import item_names

        metafunc.parametrize("fedcheck_clause", item_names(), indirect=True)


@pytest.fixture
def fedcheck_clause(request: pytest.FixtureRequest) -> JudgedItem:
    """A clause to judge: ``fedcheck_clause.check()`` passes, fails, skips or expects to fail."""
    from .pytest_items import JudgedItem

    option = request.config.getoption
    module = cast("object", request.module)  # pyright: ignore[reportUnknownMemberType]
    given = {
        "kernel": option("--fedcheck-kernel") or getattr(module, "fedcheck_kernel", None),
        "examples": option("--fedcheck-examples"),
        "seed": option("--fedcheck-seed"),
        "timeout": option("--fedcheck-timeout"),
        "python": option("--fedcheck-python") or getattr(module, "fedcheck_python", None),
        "pass_env": option("--fedcheck-pass-env"),
        "sandbox": option("--fedcheck-sandbox"),
    }
    options = {name: value for name, value in given.items() if value is not None}
    options |= {"pass_env": tuple(options.get("pass_env", ()))}
    return JudgedItem(str(request.param), options, request.config)


def _whole(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"expected 0 or more, got {number}")
    return number


def _positive(text: str) -> float:
    number = float(text)
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a positive number of seconds, got {text}")
    return number
