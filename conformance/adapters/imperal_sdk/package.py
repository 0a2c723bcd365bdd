"""Finding the published package, and the words in which its errors are reported.

The SDK is looked up at run time and typed as ``Any``: it publishes no types, it may be
missing, and nothing here may depend on how one of its versions is written.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ....invariants.vocabulary.errors import KernelReferenceError
from ....invariants.vocabulary.trace import RaisedError

_PACKAGE = "imperal_sdk"
_DISTRIBUTION = "imperal-sdk"
_ADVICE = "install it with: pip install imperal-sdk"
_HTTP_PACKAGES = frozenset({"httpx", "httpcore"})


def load(name: str = _PACKAGE) -> Any:
    """Import a module of the SDK, or of a package that comes with it.

    Raises:
        KernelReferenceError: the SDK is not installed, or has no such module.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise KernelReferenceError(
            f"no module {error.name!r} (wanted {name!r}); {_ADVICE}"
        ) from error


def installed_version() -> str:
    """Return the version of the installed distribution ``imperal-sdk``.

    Raises:
        KernelReferenceError: it is not installed.
    """
    try:
        return version(_DISTRIBUTION)
    except PackageNotFoundError:
        raise KernelReferenceError(
            "the distribution imperal-sdk is not installed; " + _ADVICE
        ) from None


def described(error: BaseException) -> RaisedError:
    """Return an error as its class name, the names of its bases and its text."""
    bases = [base.__name__ for base in type(error).__mro__[1:] if base is not object]
    return RaisedError(name=type(error).__name__, bases=tuple(bases), message=str(error))


def declined(error: BaseException) -> bool:
    """Whether the SDK itself raised ``error`` to decline what it was given.

    The class alone does not tell: a mistake of ours (a wrong signature, a value that is
    not JSON) is a ``TypeError`` or ``ValueError`` as well, and must not look like a refusal.
    So the frame that raised has to belong to the SDK.
    """
    if not isinstance(error, (ValueError, TypeError, PermissionError)):
        return False
    return _raised_in(error) == _PACKAGE


def from_transport(error: BaseException) -> bool:
    """Whether ``error`` comes from the HTTP transport, which says nothing about the SDK."""
    if isinstance(error, (ConnectionError, TimeoutError)):
        return True
    return any(_root(base.__module__) in _HTTP_PACKAGES for base in type(error).__mro__)


def _raised_in(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "" if trace is None else _root(str(trace.tb_frame.f_globals.get("__name__", "")))


def _root(module: str) -> str:
    return module.partition(".")[0]
