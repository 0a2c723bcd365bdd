"""Runs that were interrupted and go on: nothing is done twice, and no part can be left out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from fedcheck.__main__ import cli
from fedcheck.conformance.running.merging import Sealed, merge, sealed
from fedcheck.conformance.running.suite import run_suite
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.invariants.vocabulary.errors import DocumentError
from fedcheck.reports.record.model import ClauseResult, RunRecord
from fedcheck.reports.record.reader import read_record
from fedcheck.reports.record.writer import write_record

from .watched import Quiet

SELECT = ("I-CACHE-*", "C-CACHE-*")
KERNELS = ("reference", "mutant:key-unchecked")


class Impatient(Quiet):
    """Presses Ctrl-C after so many scenarios."""

    def __init__(self, scenarios: int) -> None:
        super().__init__(self.count)
        self.left = scenarios

    def count(self, invariant: str, scenarios: int) -> None:
        """Count down."""
        self.left -= scenarios
        if self.left <= 0:
            self.left = 10**9
            raise KeyboardInterrupt


def ran(kernel: str, *, resume: Path | None = None, stop: int = 10**9) -> RunRecord:
    """Return the record of a run, or of one that goes on, which is interrupted after a while."""
    asked = RunOptions(kernel=kernel, select=SELECT, examples=3, reduce=0, resume=str(resume or ""))
    return run_suite(asked, Impatient(stop))


def part(record: RunRecord, path: Path) -> Sealed:
    """Return a record as it is merged."""
    write_record(path, record)
    return sealed(path.read_bytes(), path.name)


def parts(kernel: str, folder: Path, *stops: int) -> list[Sealed]:
    """Return the parts of a run that was interrupted after these numbers of scenarios."""
    found: list[Sealed] = []
    path: Path | None = None
    for number, stop in enumerate((*stops, 10**9)):
        record, path = ran(kernel, resume=path, stop=stop), folder / f"{number}.ndjson"
        found.append(part(record, path))
    return found


def told(result: ClauseResult) -> ClauseResult:
    """Return what a run says of a clause, without times and ids of smallest scenarios."""
    return replace(result, seconds=0.0, counterexamples=("x",) * len(result.counterexamples))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("stops", [(5,), (300,), (40, 700)], ids=str)
def test_parts_together_say_what_one_run_says(
    kernel: str, stops: tuple[int, ...], tmp_path: Path
) -> None:
    """Each clause, how much was compared, each class of input: no scenario is lost or run twice."""
    whole, given = ran(kernel), parts(kernel, tmp_path, *stops)
    merged = merge(given)

    assert [told(x) for x in whole.clauses] == [told(x) for x in merged.clauses]
    assert whole.distributions == merged.distributions
    assert replace(whole.summary, finished="") == replace(merged.summary, finished="")
    assert [x.sha256 for x in given] == [x.sha256 for x in merged.header.shards]
    assert all(each.attempts for each in merged.counterexamples)
    write_record(tmp_path / "whole.ndjson", merged)
    assert merged == read_record(tmp_path / "whole.ndjson") == merge(reversed(given))


def test_a_part_alone_is_never_conformant(tmp_path: Path) -> None:
    """Neither the one that was interrupted nor the one that goes on."""
    codes = [each.record.summary.exit_code for each in parts("reference", tmp_path, 300)]

    assert [3, 3] == codes


def test_a_run_of_several_processes_goes_on_too(tmp_path: Path) -> None:
    """What a process was doing when the run ended is done again."""
    path = tmp_path / "first.ndjson"
    first = part(ran("reference", stop=40), path)
    asked = RunOptions(
        kernel="reference", select=SELECT, examples=3, reduce=0, resume=str(path), workers=2
    )
    second = part(run_suite(asked, Quiet()), tmp_path / "second.ndjson")
    whole, merged = ran("reference"), merge([first, second])

    assert [told(x) for x in whole.clauses] == [told(x) for x in merged.clauses]


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        (lambda x: x[1:], "the first part is missing"),
        (lambda x: [x[0], x[2]], "goes on with a record that is not there"),
        (lambda x: [*x, x[0]], "both begin a run"),
        (lambda x: [*x, x[2]], "both go on with one record"),
    ],
    ids=["first", "middle", "first twice", "last twice"],
)
def test_only_whole_chains_are_merged(
    chosen: Callable[[list[Sealed]], list[Sealed]], message: str, tmp_path: Path
) -> None:
    """The message names the record and what to do."""
    given = parts("reference", tmp_path, 40, 300)

    with pytest.raises(DocumentError, match=message):
        merge(chosen(given))


def test_what_is_still_interrupted_says_so(tmp_path: Path) -> None:
    """The first parts without the last are an interrupted run, and no pass."""
    given = parts("reference", tmp_path, 40, 300)[:2]

    assert merge(given).summary.interrupted
    assert 3 == merge(given).summary.exit_code


def _run(*words: str) -> Result:
    return CliRunner().invoke(cli, [*words, "--no-config"])


def test_the_command_takes_over_what_was_asked(tmp_path: Path) -> None:
    """Seed, number of scenarios and selection need not be given again; `verify` asks for parts."""
    first, rest, whole = (str(tmp_path / f"{x}.ndjson") for x in ("first", "rest", "whole"))
    asked = ["--select", SELECT[0], "--select", SELECT[1], "--examples", "3", "--seed", "7"]
    asked += ["--reduce", "off", "--counterexamples", ""]
    ended = _run("run", "--kernel", "mutant:key-unchecked", "-x", "--record", first, *asked)
    assert 1 == ended.exit_code
    done = _run("run", "--resume", first, "--record", rest, "--counterexamples", "")
    header = read_record(Path(rest)).header

    assert 1 == done.exit_code, done.output
    assert (7, 3, "mutant:key-unchecked") == (header.seed, header.examples, header.reference)
    assert "record first.ndjson" == header.configuration["seed"].source
    merged = CliRunner().invoke(cli, ["merge", rest, first, "-o", whole])
    assert isinstance(merged.exception, SystemExit), merged.exception
    assert 1 == merged.exit_code
    bundle = str(tmp_path / "bundle.zip")
    packed = CliRunner().invoke(
        cli, ["bundle", whole, "--shard", first, "--shard", rest, "-o", bundle]
    )
    assert 0 == packed.exit_code, packed.output
    checked = CliRunner().invoke(cli, ["verify", bundle])
    assert "merging its 2 parts gives this record again" in checked.output


def test_a_run_that_did_all_is_not_resumed(tmp_path: Path) -> None:
    """The message says that nothing is left."""
    path = tmp_path / "whole.ndjson"
    write_record(path, ran("reference"))
    done = _run("run", "--resume", str(path))

    assert isinstance(done.exception, DocumentError)
    assert "does not tell what is left" in str(done.exception)
