"""What a run was asked for stands in its header three times, and must be the same each time."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from fedcheck.__main__ import cli
from fedcheck.invariants.vocabulary.errors import DocumentError
from fedcheck.reports.record.model import Header, RunRecord
from fedcheck.reports.record.reader import read_record
from fedcheck.reports.record.record_parts import Setting
from fedcheck.reports.record.writer import write_record

IGNORED = "C-STORE-ISOLATION/*"
WORDS = (
    "run --no-config --kernel mutant:key-end-unchecked --select I-CACHE-KEY-SAFETY "
    f"--select C-STORE-ISOLATION --ignore {IGNORED} --must-claim cache,narrator "
    "--examples=1 --timeout 7 -n 1 --counterexamples="
).split()

Forgery = Callable[[Header], Header]


@cache
def asked(*more: str) -> RunRecord:
    """Return the record of a run that ignores clauses, as the command writes it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.ndjson"
        done = CliRunner().invoke(cli, [*WORDS, *more, "--record", str(path)])
        assert 1 == done.exit_code, done.output
        return read_record(path)


def without(*words: str) -> Forgery:
    """Return what takes words out of the command line."""
    return lambda header: replace(
        header, arguments=tuple(word for word in header.arguments if word not in words)
    )


def setting(name: str, value: Any, source: str = "flag") -> Forgery:
    """Return what changes a setting."""
    return lambda header: replace(
        header,
        configuration={**header.configuration, name: Setting(value=value, source=source)},
    )


def changed(**fields: Any) -> Forgery:
    """Return what changes fields of the header."""
    return lambda header: replace(header, **fields)


def unselected(header: Header) -> Header:
    """What was ignored is said not to have been selected."""
    excluded = dict.fromkeys(header.excluded, "not selected")
    return replace(header, excluded=excluded, ignored=())


def both(*forgeries: Forgery) -> Forgery:
    """Return several changes after one another."""

    def forged(header: Header) -> Header:
        for each in forgeries:
            header = each(header)
        return header

    return forged


FORGERIES: dict[str, tuple[Forgery, str]] = {
    "ignored becomes not selected": (unselected, "is not selected, its settings make it ignored"),
    "the words are gone": (
        without("--ignore", IGNORED),
        "the command line is without ignore, the settings have it from 'flag'",
    ),
    "the setting is gone": (
        setting("ignore", [], "default"),
        "is ignored, its settings make it judged",
    ),
    "setting and words are gone": (
        both(without("--ignore", IGNORED), setting("ignore", [], "default")),
        "is ignored, its settings make it judged",
    ),
    "everything but the selection": (
        both(without("--ignore", IGNORED), setting("ignore", [], "default"), unselected),
        "is not selected, its settings make it judged",
    ),
    "the setting has another source": (
        setting("ignore", [IGNORED], "fedcheck.toml"),
        "the command line is with ignore, the settings have it from 'fedcheck.toml'",
    ),
    "there are no settings": (changed(configuration={}), "its settings do not say examples"),
    "there is no command line": (changed(arguments=()), "a command line that is not there"),
    "the command is another": (changed(arguments=("lint",)), "a command line that is not there"),
    "more was explored": (changed(examples=2), "examples is 2, the settings say 1"),
    "more was explored, says the setting": (
        both(changed(examples=2), setting("examples", 2)),
        "examples is 2 in the settings, the command line says",
    ),
    "by another seed": (changed(seed=4), "seed is 4, the settings say 0"),
    "with more patience": (
        both(changed(timeout=70.0), setting("timeout", 70.0)),
        "timeout is 70.0 in the settings",
    ),
    "under another profile": (changed(profile="explore"), "profile is 'explore'"),
    "another kernel": (changed(reference="reference"), "kernel is 'reference'"),
    "nothing must be claimed": (changed(must_claim=()), "must_claim is not what the settings"),
    "something is selected that is not there": (
        setting("select", ["I-GONE"]),
        "its settings select or ignore what is not there",
    ),
    "another organisation": (
        lambda header: replace(header, origin=replace(header.origin, organisation="Acme")),
        "organisation is 'Acme', the settings say ''",
    ),
    "another requirement set": (
        setting("require", "seeds-2026-05"),
        "the settings demand the requirement set 'seeds-2026-05', it names another",
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_header_that_says_something_else_is_refused(name: str, tmp_path: Path) -> None:
    """Whatever part of it was changed; the footer fits."""
    change, told = FORGERIES[name]
    record = asked()
    path = tmp_path / "run.ndjson"
    write_record(path, replace(record, header=change(record.header)))
    with pytest.raises(DocumentError, match=told):
        read_record(path)


def test_waivers_in_a_run_without_any_are_refused(tmp_path: Path) -> None:
    """The command line switched them off."""
    from .test_derived import as_if_replayed, forged

    record = asked("--no-waivers")
    assert "--no-waivers" in record.header.arguments
    path = tmp_path / "run.ndjson"
    write_record(path, forged(as_if_replayed, record))
    with pytest.raises(DocumentError, match="with waivers, the settings have it from 'call'"):
        read_record(path)


def test_a_run_that_no_command_line_asked_for_says_what_it_did() -> None:
    """As the settings of a call."""
    from .bundles import small_record

    told = small_record().header.configuration
    assert (["I-CACHE-KEY-SAFETY"], "call") == (told["select"].value, told["select"].source)
    assert 0 == told["examples"].value
