"""``fedcheck smoke``: what an adapter sends back, event by event, and whose fault a problem is."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any, get_args

import pytest
from click.testing import CliRunner, Result

from fedcheck.__main__ import cli
from fedcheck.conformance.running import smoke
from fedcheck.invariants.vocabulary.protocol import tag_of
from fedcheck.invariants.vocabulary.scenario import AnyStep

ROOT = Path(__file__).resolve().parents[2]
KERNELS = Path(__file__).parent.parent / "kernels"
RAW = shlex.join([sys.executable, str(KERNELS / "raw.py")])


@pytest.fixture(autouse=True)
def _in_the_folder_of_the_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(KERNELS)
    monkeypatch.setattr(sys, "path", list(sys.path))


def smoked(*words: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(cli, ["smoke", "--no-config", *words])


def told(kernel: str) -> Result:
    """Run it on a small kernel in a worker."""
    return smoked("--kernel", kernel, "--timeout", "60")


def test_every_kind_of_step_is_tried() -> None:
    """A kernel, or an agent, that claims all is asked for all there is."""
    scenarios = [*smoke.scenarios(), *smoke.agent_scenarios()]
    tried = {tag_of(step) for scenario in scenarios for step in scenario.steps}
    assert {kind.__struct_config__.tag for kind in get_args(AnyStep)} == tried


def test_reference_kernel_speaks_the_protocol() -> None:
    """It is described, each step stands with its events, and nothing is left out."""
    result = smoked()
    lines = [line.strip() for line in result.output.splitlines()]

    assert 0 == result.exit_code, result.output
    assert "reference 1.0, fedcheck/1, embedded" in lines
    (hit,) = [line for line in lines if line.startswith("cache_outcome") and "=hit" in line]
    assert '{"n":9007199254740993}' in hit
    assert [] == [line for line in lines if line.startswith(("skip", "FAIL", "note"))]
    assert "The adapter speaks the protocol." in result.output


def test_missing_event_is_the_kernel_s_fault() -> None:
    """The turn without its prompt is marked, at the step that owes it."""
    result = smoked("--kernel", f"exec:{RAW}", "--timeout", "60")

    assert 1 == result.exit_code
    assert "FAIL  turn: the kernel broke the protocol" in result.output
    assert "> turn owes at least one classifier_prompt event" in result.output
    assert "skip  cache: the scenario needs cache, which the kernel does not claim" in result.output


def test_a_step_that_no_run_sends_may_be_missing(tmp_path: Path) -> None:
    """A cache without ``cache_delete`` speaks the protocol; one with a wrong answer does not."""
    small = (ROOT / "examples" / "ten_line_kernel" / "my_module.py").read_text("utf-8")
    wrong = "    def cache_delete(self, step):\n        return {'event': 'cache_outcome'}\n"
    (tmp_path / "no_delete.py").write_text(small, "utf-8")
    (tmp_path / "bad_delete.py").write_text(f"{small}\n{wrong}", "utf-8")
    words = ("--in-process", "--timeout", "60", "--kernel")
    sys.path.insert(0, str(tmp_path))
    without, wrongly = (smoked(*words, f"{x}:kernel") for x in ("no_delete", "bad_delete"))

    assert 0 == without.exit_code, without.output
    assert "note: cache_delete is not carried out" in without.output
    assert 1 == wrongly.exit_code, wrongly.output
    assert "note: cache_delete" not in wrongly.output


def test_an_error_of_many_lines_is_shown_as_lines() -> None:
    """A module that cannot be imported shows where, without escaped line ends."""
    result = told("raising_import:K")

    assert 3 == result.exit_code
    assert "no configuration found" in result.output
    assert "\\n" not in result.output


@pytest.mark.parametrize(
    ("start", "code", "message"),
    [
        ("garbage", 1, "got 'Listening on port 80"),
        ("changes at once", 1, "the kernel changed its description: version was '0'"),
        ("exit at once", 3, "the kernel could not be reached"),
    ],
)
def test_kernel_that_does_not_describe_itself(start: str, code: int, message: str) -> None:
    """Broken words are the kernel's fault; a kernel that is not there is nobody's."""
    result = smoked("--kernel", f"exec:{RAW} '{start}'", "--timeout", "60")

    assert code == result.exit_code, result.output
    assert message in result.output
    assert "ok" not in result.output.split()


def test_last_words_are_shown() -> None:
    """What the kernel wrote to stderr before it ended."""
    result = smoked("--kernel", f"exec:{RAW} 'exit at once'", "--timeout", "60")

    assert "its last words on stderr:\n        the reason" in result.output


def test_failed_step_is_the_kernel_s_fault() -> None:
    """A method that raises has failed its step, which is shown with the reason."""
    result = told("smoked:Hostile")

    assert 1 == result.exit_code
    assert "> the kernel could not carry out cache_set: ValueError: " in result.output


def test_claimed_but_unseen_events_are_noted() -> None:
    """A digest that never comes is for judges to judge, and worth a hint."""
    result = told("smoked:Forgetful")

    assert 0 == result.exit_code, result.output
    assert "note: digest is claimed, but the first turn shows no digest event" in result.output


def test_probe_without_its_control_is_the_kernel_s_fault() -> None:
    """A handler that does not even know its user did not run."""
    result = told("smoked:Blind")

    assert 1 == result.exit_code
    assert "get user.imperal_id must give the user's id 'u1'; got absent None" in result.output


def test_our_own_mistake_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception of fedcheck is not blamed on the kernel."""

    def broken(*_: object, **__: object) -> Any:
        raise TypeError("we cannot count")

    monkeypatch.setattr(smoke, "drive", broken)
    result = smoked()

    assert 3 == result.exit_code
    assert "FAIL  turn: fedcheck made a mistake" in result.output
    assert "TypeError: we cannot count" in result.output
    assert "fedcheck made a mistake, not the kernel: please report" in result.output


def test_hostile_text_is_harmless() -> None:
    """What a kernel says of itself cannot steer the terminal."""
    result = told("smoked:Hostile")

    assert "\x1b" not in result.output
    assert r"\x1b[2J" in result.output
