"""Requirement sets of one's own, in files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from fedcheck.__main__ import cli
from fedcheck.conformance.driving.plan import plan_run
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.invariants.requirements import requirement_set
from fedcheck.invariants.vocabulary.errors import DocumentError, UsageError

BASE = "seeds-2026-05"


def written(folder: Path, **fields: object) -> str:
    """Write a requirement set; return its path."""
    document = {"name": "ours", "title": "Ours", "clauses": [], **fields}
    (folder / "ours.json").write_text(json.dumps(document))
    return str(folder / "ours.json")


def test_a_file_extends_a_set_of_the_package(tmp_path: Path) -> None:
    """Its clauses come on top, once each; the digest tells the two files."""
    base = requirement_set(BASE)
    found = requirement_set(written(tmp_path, extends=BASE, clauses=[base.clauses[0], "X-Y/z"]))

    assert (*base.clauses, "X-Y/z") == found.clauses
    assert (base.parameters, base.allowed_deviations) == (
        found.parameters,
        found.allowed_deviations,
    )
    assert found.digest not in {"", base.digest}
    assert found.digest != requirement_set(written(tmp_path, extends=BASE, clauses=["X"])).digest


def test_a_file_may_stand_alone(tmp_path: Path) -> None:
    """It then demands what it names, and decides with it."""
    name = written(tmp_path, clauses=["C-USER-AUTHORITATIVE/x"])
    assert ("C-USER-AUTHORITATIVE/x",) == requirement_set(name).clauses


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"extends": "seeds-1999"}, BASE),
        ({"name": BASE}, "give another one"),
        ({"name": "Ours"}, "the name 'Ours' is none for a requirement set; write it"),
        ({"name": "s\u0435eds-2026-11"}, r"name 's\\u0435eds-2026-11' is none"),
        ({"name": "a\n"}, "is none for a requirement set"),
        ({"name": ""}, "is none for a requirement set"),
        ({"clauses": "all"}, r"ours\.json.*clauses"),
        ({"demands": []}, r"ours\.json.*demands"),
    ],
)
def test_a_file_that_is_none_is_refused(
    tmp_path: Path, fields: dict[str, object], message: str
) -> None:
    """With its name and what is wrong."""
    with pytest.raises(UsageError, match=message):
        requirement_set(written(tmp_path, **fields))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """It must not mean the default."""
    with pytest.raises(DocumentError, match="cannot be read"):
        requirement_set(str(tmp_path / "nowhere.json"))


def test_a_clause_that_nobody_judges_stops_the_run(tmp_path: Path) -> None:
    """A gate that silently lost a clause would be green."""
    name = written(tmp_path, extends=BASE, clauses=["ACME-GONE/away"])

    with pytest.raises(UsageError, match=r"ours.*ACME-GONE/away.*plug-in"):
        plan_run(RunOptions(requirement_set=name)).__enter__()


@pytest.mark.parametrize(
    ("settings", "of_the_set", "code"),
    [('must_claim = ["narrator"]', [], 1), ("", ["narrator"], 1), ("", ["cache"], 0)],
)
def test_what_must_be_claimed_may_stand_in_files(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    settings: str,
    of_the_set: list[str],
    code: int,
) -> None:
    """In the settings, or in the requirement set, as on the command line."""
    name = written(tmp_path, extends=BASE, must_claim=of_the_set)
    (tmp_path / "claims_cache.py").write_text(
        "from fedcheck.fixtures.reference.kernel import ReferenceKernel\n\n"
        "class Kernel(ReferenceKernel):\n    capabilities = ('cache',)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    Path("fedcheck.toml").write_text(f'require = "{Path(name).name}"\n{settings}\n')
    options = ["--in-process", "--examples", "0", "--select", "I-CACHE-KEY-SAFETY"]
    told = CliRunner().invoke(cli, ["run", "--kernel", "claims_cache:Kernel", *options])

    assert code == told.exit_code
    assert bool(code) == ("the kernel does not claim narrator" in told.output)
