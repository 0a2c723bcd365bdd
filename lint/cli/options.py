"""The command line of ``fedcheck lint``, read."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ...reports.lint.findings import FailOn


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The command line; see ``fedcheck lint --help``."""

    paths: tuple[Path, ...]
    fix: bool = False
    diff: bool = False
    unsafe_fixes: bool = False
    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    target_sdk: str | None = None
    all_files: bool = False
    exhaustive: bool = False
    fail_on: FailOn | None = None
    baseline: Path | None = None
    update_baseline: bool = False
    accept_new: bool = False
    add_ignores: bool = False
    reason: str = ""
    stdin: bool = False
    stdin_filename: Path = Path("stdin.py")
    format_name: str = "text"
    output: Path | None = None
    statistics: bool = False
    group: bool | None = None
    show_suppressed: bool = False
    watch: bool = False
    config: Path | None = None
    isolated: bool = False
    no_ignores: bool = False
    no_cache: bool = False
    cache_dir: Path | None = None
    jobs: int | None = None

    @property
    def linted(self) -> tuple[Path, ...]:
        """The paths that are linted."""
        return (self.stdin_filename,) if self.stdin else self.paths
