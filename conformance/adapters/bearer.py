"""The bearer token: where it comes from, and how it is kept out of everything that is shown."""

from __future__ import annotations

import os
import re

from ...invariants.vocabulary.errors import UsageError
from ...reports.record.redact import MASK
from .echoes import Echoes

TOKEN_VARIABLE = "FEDCHECK_TOKEN"
"""Environment variable that holds the bearer token for kernels behind ``http(s)://``. Processes
that are started for a kernel do not see it."""

_FORM = re.compile(r"[A-Za-z0-9._~+/-]{8,}=*", re.ASCII)


class Token:
    """A bearer token that masks itself.

    Args:
        value: the token; empty means none.

    Raises:
        UsageError: it cannot be a bearer token, or is too short to be told from other text.
    """

    def __init__(self, value: str) -> None:
        if value and not _FORM.fullmatch(value):
            raise UsageError(
                f"{TOKEN_VARIABLE}: expected at least 8 letters, digits or - . _ ~ + /, with = "
                "only at the end; its value is not shown. Set it again, without white space"
            )
        self._value = value
        self._echoes = Echoes(value) if value else None

    @classmethod
    def from_environment(cls) -> Token:
        """Return the token of the environment."""
        return cls(os.environ.get(TOKEN_VARIABLE, ""))

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return f"Token({MASK if self else ''})"

    @property
    def headers(self) -> dict[str, str]:
        """The header that carries it, if there is one."""
        return {"Authorization": f"Bearer {self._value}"} if self else {}

    def masked(self, got: bytes) -> bytes:
        """Return what came from outside, with the token masked wherever it is repeated.

        Servers repeat it in base64, in hexadecimal digits, escaped, in Basic authentication.
        """
        if self._echoes is None:
            return got
        text = got.decode("latin-1")
        masked = self._echoes.masked(text)
        return got if masked is text else masked.encode("latin-1")

    def masked_text(self, text: str) -> str:
        """Return a text with the token masked."""
        return text if self._echoes is None else self._echoes.masked(text)
