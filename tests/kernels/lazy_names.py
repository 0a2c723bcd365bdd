"""A module that resolves its names on first use, and then fails."""


def __getattr__(name: str) -> object:
    if name == "kernel":
        raise ImportError("install the extra first")
    raise AttributeError(name)
