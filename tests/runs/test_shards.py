"""Shards of a run: together they do exactly what one run does, and only whole sets are merged."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from fedcheck.__main__ import cli
from fedcheck.conformance.driving.shares import share_of
from fedcheck.conformance.running.merging import Sealed, merge, sealed
from fedcheck.conformance.running.suite import run_suite
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.invariants.vocabulary.errors import DocumentError, FedcheckError
from fedcheck.reports.record.model import ClauseResult, RunRecord
from fedcheck.reports.record.reader import read_record
from fedcheck.reports.record.record_parts import Setting
from fedcheck.reports.record.writer import write_record

from .watched import Quiet

SELECT = ("I-CACHE-*", "C-CACHE-*")
SHARDS = ("1/3", "2/3", "3/3")
KERNELS = ("reference", "mutant:key-unchecked", "mutant:cap-per-call")


@cache
def ran(kernel: str, shard: str = "", seed: int = 0) -> RunRecord:
    """Return the record of a run, or of a shard of it."""
    asked = RunOptions(kernel=kernel, select=SELECT, examples=3, shard=shard, seed=seed)
    return run_suite(asked, Quiet())


def part(record: RunRecord, folder: Path, name: str = "") -> Sealed:
    """Return a record as it is merged."""
    path = folder / (name or f"{record.header.shard.replace('/', '-')}.ndjson")
    write_record(path, record)
    return sealed(path.read_bytes(), path.name)


def parts(kernel: str, folder: Path) -> list[Sealed]:
    """Return the shards of a run."""
    return [part(ran(kernel, shard), folder) for shard in SHARDS]


def told(result: ClauseResult) -> ClauseResult:
    """Return what a run says of a clause, without times and ids of smallest scenarios."""
    return replace(result, seconds=0.0, counterexamples=("x",) * len(result.counterexamples))


@pytest.mark.parametrize("kernel", KERNELS)
def test_shards_together_say_what_one_run_says(kernel: str, tmp_path: Path) -> None:
    """Each clause: its verdict, why, how much was compared, each class of input; and the code."""
    whole, merged = ran(kernel), merge(parts(kernel, tmp_path))

    assert [told(x) for x in whole.clauses] == [told(x) for x in merged.clauses]
    kinds = [(x.clause, x.kind) for x in whole.counterexamples]
    assert kinds == [(x.clause, x.kind) for x in merged.counterexamples]
    assert whole.distributions == merged.distributions
    assert replace(whole.summary, finished="") == replace(merged.summary, finished="")


def test_a_merged_record_is_read_again(tmp_path: Path) -> None:
    """It follows from its evidence like any other; its shards stand in it with their digests."""
    given = parts("mutant:key-unchecked", tmp_path)
    merged = merge(given)
    write_record(tmp_path / "whole.ndjson", merged)

    assert merged == read_record(tmp_path / "whole.ndjson")
    assert [x.sha256 for x in given] == [x.sha256 for x in merged.header.shards]
    assert merged == merge(reversed(given))


def test_a_shard_alone_is_never_conformant(tmp_path: Path) -> None:
    """What only others try is not exercised; what it broke itself is a failure."""
    codes = {ran("reference", shard).summary.exit_code for shard in SHARDS}
    broken = [ran("mutant:key-unchecked", shard).summary.exit_code for shard in SHARDS]

    assert {3} == codes
    assert {1, 3} == set(broken)
    assert read_record(_written(ran("reference", "2/3"), tmp_path)).header.shard == "2/3"


def _written(record: RunRecord, folder: Path) -> Path:
    write_record(folder / "shard.ndjson", record)
    return folder / "shard.ndjson"


@pytest.mark.parametrize("shards", [1, 2, 5, 40])
def test_each_invariant_is_in_exactly_one_shard(shards: int) -> None:
    """And none has many more scenarios than another."""
    fixed = [435, 234, 231, 208, 153, *range(3, 80)]
    taken = [share_of(fixed, 20, shard, shards) for shard in range(1, shards + 1)]
    loads = [sum(fixed[place] + 20 for place in places) for places in taken]

    assert list(range(len(fixed))) == sorted(place for places in taken for place in places)
    assert max(loads) - min(loads) <= 455


def _other(record: RunRecord, **changes: Any) -> RunRecord:
    return replace(record, header=replace(record.header, **changes))


def _of_another_setting(record: RunRecord) -> RunRecord:
    told = {**record.header.configuration, "reduce": Setting(value=0, source="call")}
    return _other(record, configuration=told)


def _of_another_kernel(record: RunRecord) -> RunRecord:
    return ran("mutant:cap-per-call", record.header.shard)


def _of_another_seed(record: RunRecord) -> RunRecord:
    return ran("reference", record.header.shard, 7)


def _of_another_suite(record: RunRecord) -> RunRecord:
    return _other(record, suite=replace(record.header.suite, digest="0" * 64))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (_of_another_setting, r"2-3.ndjson: has another setting reduce than 1-3.ndjson"),
        (_of_another_kernel, r"2-3.ndjson: is of another kernel than 1-3.ndjson"),
        (_of_another_seed, r"2-3.ndjson: has another seed than 1-3.ndjson: 7, there 0"),
        (_of_another_suite, r"2-3.ndjson: fedcheck .* wrote it"),
    ],
)
def test_a_shard_of_another_run_is_refused(
    tmp_path: Path, change: Callable[[RunRecord], RunRecord], reason: str
) -> None:
    """By its name, and with what is different."""
    given = parts("reference", tmp_path)
    given[1] = part(change(given[1].record), tmp_path, "2-3.ndjson")
    with pytest.raises(DocumentError, match=reason):
        merge(given)


def test_a_shard_that_is_missing_or_there_twice_is_refused(tmp_path: Path) -> None:
    """So is a record that is no shard, and one of a run in other shares."""
    one, two, three = parts("reference", tmp_path)
    with pytest.raises(DocumentError, match=r"^2/3: this shard is missing"):
        merge([one, three])
    with pytest.raises(DocumentError, match=r"1-3.ndjson and 1-3.ndjson are both shard 1/3"):
        merge([one, one, two, three])
    with pytest.raises(DocumentError, match=r"whole.ndjson: is no shard"):
        merge([one, part(ran("reference"), tmp_path, "whole.ndjson")])
    with pytest.raises(DocumentError, match=r"is shard 2/4"):
        merge([one, part(ran("reference", "2/4"), tmp_path)])


def test_a_shard_with_the_scenarios_of_another_is_refused(tmp_path: Path) -> None:
    """Else a share could be run twice in place of one that nobody ran."""
    one, two, three = parts("reference", tmp_path)
    setting = {**two.header.configuration, "shard": Setting(value="2/3", source="call")}
    posing = _other(one.record, shard="2/3", configuration=setting)
    with pytest.raises(DocumentError, match="holds other scenarios than those of shard 2/3"):
        merge([one, part(posing, tmp_path, "posing.ndjson"), three])


def _call(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Return the merged record, then those of its shards."""
    shards = [tmp_path / x.where for x in parts("mutant:key-unchecked", tmp_path)]
    whole = tmp_path / "whole.ndjson"
    assert 1 == _call("merge", *shards, "-o", whole, "-q").exit_code
    return [whole, *shards]


def test_a_bundle_of_a_merged_record_holds_its_shards(files: list[Path], tmp_path: Path) -> None:
    """`verify` merges them again; without one of them nothing is packed."""
    whole, *shards = files
    bundle = tmp_path / "evidence.zip"
    missing = _call("bundle", whole, "-o", bundle, "--shard", shards[0])
    named = [word for shard in shards for word in ("--shard", shard)]
    packed = _call("bundle", whole, "-o", bundle, "--format", "junit", *named)
    checked = _call("verify", bundle, "--rerender")

    assert isinstance(missing.exception, FedcheckError)
    assert "shard 2/3" in str(missing.exception)
    assert (0, 0) == (packed.exit_code, checked.exit_code), checked.output
    assert "merging its 3 shards gives this record again" in checked.output


def test_a_bundle_whose_shards_say_something_else_is_wrong(
    files: list[Path], tmp_path: Path
) -> None:
    """A merged record that was written by hand does not follow from its shards."""
    whole, *shards = files
    merged = read_record(whole)
    edited = replace(merged, clauses=tuple(replace(x, seconds=9.0) for x in merged.clauses))
    write_record(whole, edited)
    named = [word for shard in shards for word in ("--shard", shard)]
    bundle = tmp_path / "evidence.zip"
    assert 0 == _call("bundle", whole, "-o", bundle, "--format", "junit", *named).exit_code
    checked = _call("verify", bundle)

    assert 1 == checked.exit_code
    assert "gives another record than this one" in checked.output


def test_a_merged_record_is_signed_with_its_shards(files: list[Path], tmp_path: Path) -> None:
    """And `verify` of the envelope demands them."""
    assert 0 == _call("keygen", tmp_path / "k").exit_code
    alone = _call("sign", files[0], "--key", tmp_path / "k.key")
    signed = _call("sign", *files, "--key", tmp_path / "k.key")
    envelope = tmp_path / "whole.ndjson.dsse.json"
    checked = _call("verify", envelope, "--key", tmp_path / "k.pub")
    (tmp_path / "2-3.ndjson").unlink()
    without = _call("verify", envelope, "--key", tmp_path / "k.pub")

    assert "sign the records of its shards with it" in str(alone.exception)
    assert (0, 0, 1) == (signed.exit_code, checked.exit_code, without.exit_code)
    assert "merging its 3 shards" in checked.output
    assert hashlib.sha256(files[1].read_bytes()).hexdigest() in files[0].read_text("ascii")


@pytest.mark.parametrize("shard", ["0/3", "4/3", "1", "a/b", "1/5000"])
def test_what_is_no_share_is_refused(shard: str) -> None:
    """Before a kernel is started."""
    assert 2 == _call("run", "--shard", shard).exit_code


def test_shards_of_a_random_run_need_one_seed() -> None:
    """Else each would draw from another one, and none could be merged."""
    result = _call("run", "--shard", "1/2", "--profile", "explore", "--no-config")
    assert "give all of them one --seed" in str(result.exception)
