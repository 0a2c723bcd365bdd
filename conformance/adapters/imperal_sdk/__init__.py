"""The adapter that drives the published ``imperal-sdk`` package itself.

``kernel`` is the kernel class. It is resolved on first use, so that this package can be
imported, and listed, where the SDK is not installed. What is driven and what is not
claimed stands in ``docs/imperal-sdk.md``.
"""

from __future__ import annotations


def __getattr__(name: str) -> object:
    if name != "kernel":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .driver import SdkKernel

    return SdkKernel
