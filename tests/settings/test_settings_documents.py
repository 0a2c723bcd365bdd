"""The documents on configuration, counterexamples, waivers and plug-ins say what is so."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from fedcheck.__main__ import cli
from fedcheck.conformance.settings.configuration import Settings, configuration
from fedcheck.conformance.settings.waiver_entries import WaiverEntry
from fedcheck.invariants.requirements import RequirementList, requirement_set
from fedcheck.reports.record.model import WaiverResult

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
OURS = ("configuration.md", "counterexamples.md", "waivers.md", "plugins.md")


def blocks(name: str, language: str) -> list[str]:
    """The blocks of a document in a language."""
    text = (DOCS / name).read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_the_example_of_a_configuration_has_every_key_and_is_one(tmp_path: Path) -> None:
    """The linter's table and the waivers are told elsewhere."""
    (tmp_path / "fedcheck.toml").write_text(blocks("configuration.md", "toml")[0], "utf-8")
    found = configuration(tmp_path / "fedcheck.toml")

    assert set(Settings.__struct_fields__) - {"lint", "waivers"} == set(found.settings)


def test_the_example_of_a_waiver_has_every_field_and_is_one(tmp_path: Path) -> None:
    """In one entry."""
    (tmp_path / "fedcheck.toml").write_text(blocks("waivers.md", "toml")[0], "utf-8")
    (waiver,) = configuration(tmp_path / "fedcheck.toml").waivers

    assert all(getattr(waiver.entry, name) for name in WaiverEntry.__struct_fields__)
    assert not waiver.entry.self_approved


def test_the_example_of_a_requirement_set_can_be_read(tmp_path: Path) -> None:
    """It demands what it extends, and its own clause."""
    (tmp_path / "acme.json").write_text(blocks("configuration.md", "json")[0])
    found, base = requirement_set(str(tmp_path / "acme.json")), requirement_set("seeds-2026-05")

    assert isinstance(found, RequirementList)
    assert {"ACME-REPLY-SHOWN/reply-shown"} == set(found.clauses) - set(base.clauses)
    assert base.digest != found.digest


def test_every_state_of_a_waiver_is_told() -> None:
    """In words that a run uses."""
    text = (DOCS / "waivers.md").read_text("utf-8")
    states = WaiverResult.__annotations__["state"]

    for state in re.findall(r'"([a-z-]+)"', str(states)):
        assert state == "applied" or f"| {state} |" in text


@pytest.mark.parametrize("name", OURS)
def test_commands_and_options_exist(name: str) -> None:
    """Each line that starts fedcheck would be understood."""
    told = "\n".join(blocks(name, "sh")).replace("\\\n", " ")
    lines = [x for x in told.splitlines() if x.startswith("fedcheck ")]
    assert lines
    for line in lines:
        _, command, *words = shlex.split(line, comments=True)
        found = cli.get_command(click.Context(cli), command)
        assert found is not None, line
        if isinstance(found, click.Group):
            found = found.get_command(click.Context(found), words.pop(0))
            assert found is not None, line
        found.make_context(command, words)


@pytest.mark.parametrize("name", OURS)
def test_links_lead_somewhere(name: str) -> None:
    """Between the documents and into the checkout."""
    for target in re.findall(r"\]\(([^)#]+)", (DOCS / name).read_text("utf-8")):
        assert (DOCS / target).exists(), target
