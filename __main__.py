"""The entrance: an ordinary run of the linter, else the command group."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; output that is lost to a full disk is no success."""
    from .reports.console.streams import Streams

    streams = Streams()
    try:
        _run()
    except KeyboardInterrupt:  # before the command line's library is there to tell it
        from .conformance.commands.group import NOT_JUDGED

        sys.stderr.write("\nStopped.\n")
        sys.exit(NOT_JUDGED)
    except SystemExit as stop:
        lost = streams.problem()
        if lost:
            from .conformance.commands.group import NOT_JUDGED, USAGE, tell

            tell(
                f"Error: standard output cannot be written: {lost}; make room, or use another disk"
            )
            if not stop.code:  # to the linter it is what a file is that cannot be written
                sys.exit(NOT_JUDGED if sys.argv[1:2] == ["lint"] else USAGE)
        raise


def _run() -> None:
    if sys.argv[1:2] == ["lint"]:
        code = _linted(sys.argv[2:])
        if code is not None:
            sys.exit(code)
    from .conformance.commands.group import run

    run()


def _linted(words: list[str]) -> int | None:
    """Lint without the command group, which takes as long to load as a small extension to lint.

    Each step loads more than the one before. None says that the words are left to the group.
    """
    from .lint.engine.cache.replay import replayed

    code = replayed(words)
    if code is None:
        from .lint.cli.fast_exit import quiet_run

        code = quiet_run(words)
    if code is not None:
        return code
    from .lint.cli.fast_options import plain_options

    options = plain_options(words)
    if options is None:
        return None
    from .lint.cli.main import run
    from .lint.cli.preload import load

    try:
        load()
        return run(options, words)
    except Exception as error:  # noqa: BLE001 - each is told in the group's words
        from .conformance.commands.group import told

        return told(error)


def __getattr__(name: str) -> object:
    """Return the command group; it is loaded only when it is needed."""
    if name != "cli":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .conformance.commands.group import cli

    return cli


if __name__ == "__main__":
    main()
