"""The entrance: a run of the linter that needs no linter, else the command group."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; output that is lost to a full disk is no success."""
    from .reports.streams import Streams

    streams = Streams()
    try:
        _run()
    except KeyboardInterrupt:  # before the command line's library is there to tell it
        from .conformance.command_group import NOT_JUDGED

        sys.stderr.write("\nStopped.\n")
        sys.exit(NOT_JUDGED)
    except SystemExit as stop:
        lost = streams.problem()
        if lost:
            from .conformance.command_group import USAGE, tell

            tell(
                f"Error: standard output cannot be written: {lost}; make room, or use another disk"
            )
            if not stop.code:
                sys.exit(USAGE)
        raise


def _run() -> None:
    if sys.argv[1:2] == ["lint"]:  # the group takes twice as long to load as such a run
        from .lint.cache.replay import replayed

        code = replayed(sys.argv[2:])
        if code is None:
            from .lint.quiet_run import quiet_run

            code = quiet_run(sys.argv[2:])
        if code is not None:
            sys.exit(code)
    from .conformance.command_group import run

    run()


def __getattr__(name: str) -> object:
    """Return the command group; it is loaded only when it is needed."""
    if name != "cli":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .conformance.command_group import cli

    return cli


if __name__ == "__main__":
    main()
