"""``fedcheck keygen``: create a key pair for signing."""

from __future__ import annotations

import os
from pathlib import Path

import click

from ...invariants.vocabulary.errors import UsageError
from ..console.escape import printable
from ..console.files import writing


@click.command("keygen")
@click.argument("name", type=click.Path(path_type=Path), default=Path("fedcheck"))
def command(name: Path) -> None:
    """Create an Ed25519 key pair: NAME.key, which is secret, and NAME.pub, which is not.

    The secret one is encrypted if the environment has FEDCHECK_KEY_PASSWORD. Neither is ever
    printed, and no existing file is replaced.
    """
    from ..proof.dsse import key_id, new_key, public_key, require_cryptography

    require_cryptography()
    private, public = new_key()
    secret, open_ = Path(f"{name}.key"), Path(f"{name}.pub")
    if open_.exists():
        raise UsageError(f"{printable(str(open_))}: exists already; name another pair")
    _write(secret, private, 0o600)
    _write(open_, public, 0o644)
    click.echo(f"secret key: {printable(str(secret))} (keep it away from the repository)")
    click.echo(f"public key: {printable(str(open_))} (give it to whoever verifies)")
    click.echo(f"key id: {key_id(public_key(str(open_)))}")


def _write(path: Path, data: bytes, mode: int) -> None:
    with writing(path):
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        except FileExistsError:
            raise UsageError(f"{printable(str(path))}: exists already; name another pair") from None
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
        except BaseException:
            path.unlink()
            raise
