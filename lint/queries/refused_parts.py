"""A part of a payload that JSON cannot carry."""

from __future__ import annotations

from typing import Literal

import msgspec

from ..model.written import Written

MODEL = "a pydantic model"


class Refusal(msgspec.Struct, frozen=True):
    """A part of a payload that JSON cannot carry.

    Attributes:
        what: in words.
        where: path inside the payload: ``data["when"]``.
        source: ``dump`` if ``model_dump()`` of the extension left it, ``asdict`` or ``vars`` if
            that did, ``model`` if ``model_dump()`` of ``ActionResult.to_dict()`` leaves it.
        at: the expression that puts it there.
    """

    what: str
    where: str
    certain: bool
    source: Literal["", "dump", "asdict", "vars", "model"] = ""
    at: Written | None = None

    @property
    def is_vague(self) -> bool:
        """Whether it only may be what its type says."""
        return self.source in {"dump", "asdict", "vars"} and not self.certain

    def unsure(self) -> Refusal:
        """Return the same, but not certain."""
        return msgspec.structs.replace(self, certain=False)
