"""The table of report formats: which function renders which, and what it takes beside the record.

A writer is a pure function of a record that returns ``str`` or ``bytes``, or yields a text piece by
piece, so that a report on a long run is never held whole. One that can compare with an earlier
record, or can show what the linter found, takes these by the keywords ``since`` and ``lint`` and
says so in its row. Its module is imported only when the format is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from ...invariants.vocabulary.errors import UsageError
from ...invariants.vocabulary.near_names import did_you_mean

if TYPE_CHECKING:
    from ..lint.findings import LintReport
    from ..record.model import RunRecord


class Format(NamedTuple):
    """One row: the module in `reports/`, its function, the usual suffix, its keywords.

    ``renderers`` are the packages of others that decide over the bytes.
    """

    module: str
    function: str
    suffix: str
    takes: frozenset[str] = frozenset()
    renderers: tuple[str, ...] = ()


_BESIDE = frozenset({"since", "lint"})
_TEMPLATES = ("jinja2", "markupsafe")

FORMATS: dict[str, Format] = {
    "html": Format("html.report", "html_pieces", ".html", _BESIDE, _TEMPLATES),
    "pdf": Format("html.pdf", "pdf_report", ".pdf", _BESIDE, (*_TEMPLATES, "weasyprint")),
    "markdown": Format("formats.markdown", "markdown_report", ".md", _BESIDE),
    "json": Format("formats.json_report", "json_report", ".report.json"),
    "text": Format("formats.text", "text_pieces", ".txt", renderers=("rich",)),
    "junit": Format("formats.junit", "junit_xml", ".xml"),
    "junit-rich": Format("formats.junit_rich", "junit_rich_xml", ".xml"),
    "sarif": Format("formats.sarif", "sarif", ".sarif"),
    "github": Format("formats.github", "github_commands", ".txt"),
    "gitlab": Format("formats.gitlab", "gitlab_code_quality", ".json"),
    "ctrf": Format("formats.ctrf", "ctrf", ".json"),
    "tap": Format("formats.tap", "tap", ".tap"),
    "badge": Format("formats.badge", "badge", ".svg"),
    "oscal": Format("oscal.results", "oscal", ".json"),
    "oscal-plan": Format("oscal.plan", "oscal_plan", ".json"),
    "oscal-component": Format("oscal.component", "oscal_component", ".json"),
    "oscal-catalog": Format("oscal.catalog", "oscal_catalog", ".json"),
}
"""Format name → its row."""


def format_named(name: str) -> Format:
    """Return the row of a format.

    Raises:
        UsageError: there is no such format; the message lists them.
    """
    if name not in FORMATS:
        hint = did_you_mean(name, FORMATS, f"there are: {', '.join(FORMATS)}.")
        raise UsageError(f"There is no format {name!r}; {hint}")
    return FORMATS[name]


def render(
    name: str,
    record: RunRecord,
    *,
    since: RunRecord | None = None,
    lint: LintReport | None = None,
) -> bytes:
    """Return a record in a format, as the bytes of a file; see ``pieces``."""
    return b"".join(pieces(name, record, since=since, lint=lint))


def pieces(
    name: str,
    record: RunRecord,
    *,
    since: RunRecord | None = None,
    lint: LintReport | None = None,
) -> Iterator[bytes]:
    """Yield a record in a format, as the bytes of a file in pieces; text is UTF-8.

    Args:
        name: of the format.
        record: what to render.
        since: an earlier record, for the formats that show what changed.
        lint: what the linter found, for the formats that show it.

    Raises:
        UsageError: there is no such format, or an optional package that it needs is missing.
    """
    row = format_named(name)
    given: dict[str, Any] = {"since": since, "lint": lint}
    taken = {key: value for key, value in given.items() if value is not None and key in row.takes}
    writer: Callable[..., str | bytes | Iterator[str]]
    writer = getattr(import_module(f"..{row.module}", __package__), row.function)
    rendered = writer(record, **taken)
    if isinstance(rendered, bytes):
        yield rendered
        return
    for text in (rendered,) if isinstance(rendered, str) else rendered:
        yield text.encode("utf-8")
