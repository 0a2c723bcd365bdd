"""``fedcheck verify``: check a signature or a bundle, and run a recorded run again."""

from __future__ import annotations

import gc
import hashlib
import mmap
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import UNSET

from ...invariants.vocabulary.errors import DocumentError, UsageError
from ...invariants.vocabulary.text import counted
from ...reports.commands.shared import (
    FILE,
    kernel_file_option,
    key_option,
    require_option,
    told_underivable,
)
from ...reports.console.escape import printable
from ...reports.console.files import reading
from ...reports.record.claims import claims
from ...reports.record.outcome import NOT_JUDGED
from ...reports.record.protection import Sandbox
from ...reports.record.verdict_words import coverage
from ..adapters.own_process import Hosting
from .run_options import options

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    from ...reports.proof.bundle_check import Checked
    from ...reports.record.model import RunRecord

WRONG = 1
_NEXT = "name what `fedcheck bundle` or `fedcheck sign` wrote"


@click.command("verify")
@click.argument("target", type=FILE, metavar="BUNDLE|ENVELOPE")
@key_option("The public key of whoever must have signed: a PEM file, or a variable with the text.")
@kernel_file_option("What was judged; its SHA-256 must be the one in the signed statement.")
@click.option(
    "--rerender", is_flag=True, help="Make the reports of a bundle again and compare their bytes."
)
@click.option(
    "--reperform", is_flag=True, help="Run the recorded run of a bundle again and compare."
)
@click.option("--kernel", metavar="REF", help="The kernel to judge again; never the recorded one.")
@click.option(
    "--recordings",
    multiple=True,
    metavar="FILE|DIR|GLOB",
    help="The recordings that an audit is said to have judged; compared by their SHA-256.",
)
@options("memory_limit", "pass_env", "sandbox", "python")
@require_option("With --reperform: the requirement set's file, if the run took one of its own.")
def command(
    target: Path,
    key: str | None,
    kernel_file: Path | None,
    rerender: bool,
    reperform: bool,
    kernel: str | None,
    recordings: tuple[str, ...],
    memory_limit: int | None,
    pass_env: tuple[str, ...],
    sandbox: Sandbox,
    python: str,
    require: Path | None,
) -> None:
    """Check a bundle, or a signed statement and the files beside it. Works offline.

    Exit codes: 0 everything holds, 1 something does not, 2 wrong usage, 3 what there is holds, but
    something could not be compared: the kernel was not judged again, or another version of the
    suite wrote the record or its reports.
    """
    if reperform != (kernel is not None):
        raise UsageError("--reperform and --kernel REF belong together: name the kernel to judge")
    gc.disable()  # a large record is many objects and no garbage
    checked = _checked(target, key, kernel_file)
    gc.freeze()
    gc.enable()
    if not checked.problems and checked.record is not None and checked.shards:
        _merged_again(checked, checked.record)
    for line in checked.holds:
        click.echo(f"ok     {printable(line, limit=None)}")
    _tell_comparison(checked.notes, checked.problems)
    if checked.record is not None:
        _tell(checked.record, checked.signer)
    uncompared: list[str] = []
    if not checked.problems and rerender:
        uncompared, differences = _rendered_again(checked, target)
        checked.problems.extend(differences)
    checked.problems.extend(_originals(checked.record, target, recordings))
    if not checked.problems and kernel is not None:
        hosting = Hosting(memory_limit, pass_env, sandbox, python)
        checked.problems.extend(_again(checked, kernel, target, require, hosting))
    code = told_underivable(checked.record) if checked.record is not None else 0
    code = WRONG if checked.problems else NOT_JUDGED if uncompared else code
    holds = "everything that could be compared holds" if code else "everything holds"
    click.echo(f"wrong: {len(checked.problems)}" if checked.problems else holds)
    sys.exit(code)


def _checked(target: Path, key: str | None, kernel_file: Path | None) -> Checked:
    from ...reports.proof.bundle_check import check_bundle
    from ...reports.proof.dsse import public_key
    from ...reports.proof.envelope_check import check_envelope
    from ...reports.proof.stored_zip import MAGIC

    where = printable(str(target))
    public: Ed25519PublicKey | None = public_key(key) if key else None
    digest = hashlib.sha256(_mapped(kernel_file)).hexdigest() if kernel_file else ""
    data = _mapped(target)
    if bytes(data[: len(MAGIC)]) == MAGIC:
        return check_bundle(data, where, public, digest)
    if bytes(data[:1]) != b"{":
        raise UsageError(f"{where}: is neither a bundle nor an envelope; {_NEXT}")
    if public is None and b'"payloadType"' not in bytes(data):
        raise UsageError(f"{where}: carries no signature; {_NEXT}")
    if public is None:
        raise UsageError(f"{where}: a signature is checked with --key, the signer's public key")
    return check_envelope(target, where, public, digest)


def _mapped(path: Path) -> memoryview:
    """Return the bytes of a file without copying them."""
    with reading(path, _NEXT), path.open("rb") as file:
        if not path.stat().st_size:
            return memoryview(b"")
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def _tell(record: RunRecord, signer: str) -> None:
    header, told = record.header, record.summary
    named = printable(f"{header.kernel.kernel} {header.kernel.version}", limit=160)
    click.echo(
        f"       {named}: {coverage(record)}; "
        f"{told.passed:,} passed (exit code {told.exit_code}), seed {header.seed}, "
        f"run {printable(header.started, limit=40)}"
    )
    demanded = header.requirement_set
    named = printable(demanded.name, limit=80)
    click.echo(f"       requirement set {named}, SHA-256 {printable(demanded.digest, limit=64)}")
    for claim in claims(record, signer):
        click.echo(f"       {claim.label}: {printable(claim.text, limit=None)}")


def _merged_again(checked: Checked, record: RunRecord) -> None:
    """Merge the shards again: what they come to must be what the merged record says."""
    from ...reports.record.derivation import not_derivable
    from ...reports.record.shards import name_of
    from ..running.merging import merge, sealed

    if reason := not_derivable(record):
        checked.notes.append(f"not merged again: {reason}")
        return
    names = {shard.sha256: name_of(shard) for shard in record.header.shards}
    try:
        parts = [sealed(data, names[hashlib.sha256(data).hexdigest()]) for data in checked.shards]
        again = merge(parts)
    except DocumentError as error:
        checked.problems.append(str(error))
        return
    if again == record:
        noun = name_of(record.header.shards[0]).partition(" ")[0]
        checked.holds.append(f"merging its {counted(len(parts), noun)} gives this record again")
    else:
        checked.problems.append("merging its shards again gives another record than this one")


def _rendered_again(checked: Checked, target: Path) -> tuple[list[str], list[str]]:
    """Return what could not be compared, and what is not the same."""
    from ..audit.rerender import rerender

    where = printable(str(target))
    if checked.record is None or not checked.bundled:
        raise UsageError(f"{where}: only a bundle holds reports to make again")
    try:
        made = rerender(_mapped(target), where)
    except DocumentError as error:
        _tell_comparison([], [str(error)])
        return [], [str(error)]
    _tell_comparison(made.notes, made.differences)
    if made.same:
        click.echo(f"ok     {counted(made.same, 'file')} beside the record: the same again")
    return made.notes, made.differences


def _originals(record: RunRecord | None, target: Path, recordings: tuple[str, ...]) -> list[str]:
    """Return in what recordings differ from those that were judged."""
    from ..recordings.originals import compared

    judged = record.header.recording if record is not None else UNSET
    if not recordings:
        if judged is not UNSET:
            _tell_comparison(["the recordings were not compared: name them with --recordings"], [])
        return []
    if judged is UNSET:
        where = printable(str(target))
        raise UsageError(f"{where}: no recording was judged; only `fedcheck audit` judges one")
    made = compared(judged, recordings)
    _tell_comparison([], made.differences)
    if made.same:
        click.echo(f"ok     {counted(made.same, 'recording')}: what was judged, byte for byte")
    return made.differences


def _tell_comparison(notes: list[str], differences: list[str]) -> None:
    for line in notes:
        click.echo(f"note   {printable(line, limit=None)}")
    for line in differences:
        click.echo(f"WRONG  {printable(line, limit=None)}")


def _again(
    checked: Checked, kernel: str, target: Path, require: Path | None, hosting: Hosting
) -> list[str]:
    from ..audit.reperform import reperform
    from ..running.progress import watching

    if checked.record is None or not checked.bundled:
        raise UsageError(f"{printable(str(target))}: only a bundle holds a run to perform again")
    if checked.record.header.recording is not UNSET:
        raise UsageError(
            f"{printable(str(target))}: no kernel was run, a recording was judged; compare it with "
            "--recordings, and audit it again"
        )
    with watching(None) as observer:
        comparison = reperform(checked.record, kernel, observer, str(require or ""), hosting)
    _tell_comparison(comparison.notes, comparison.differences)
    if not comparison.differences:
        click.echo(f"ok     {len(checked.record.clauses)} verdicts: the same again")
    return comparison.differences
