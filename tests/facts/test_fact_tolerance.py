"""Conforming kernels, as other languages and other authors write them, raise no alarm."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

import pytest

from fedcheck.invariants.vocabulary.messages import Message
from fedcheck.invariants.vocabulary.parameters import Parameters
from fedcheck.invariants.vocabulary.scenario import Call, Turn

from .talk import INVARIANTS, Prompt, Talk, fixed_scenarios, one_line


class Compact(Talk):
    """Letters as they are, no spaces."""

    def write(self, value: Any) -> str:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Escaping(Compact):
    """What a subclass lists is written as an escape, in upper or lower case."""

    escaped = ""
    form = "\\u{:04x}"

    def write(self, value: Any) -> str:
        signs = {ord(sign): self.form.format(ord(sign)) for sign in self.escaped}
        return super().write(value).translate(signs)


class Go(Escaping):
    """Sorts keys, escapes what HTML minds and two line separators."""

    escaped = "<>&\u2028\u2029"

    def write(self, value: Any) -> str:
        return super().write(json.loads(json.dumps(value, sort_keys=True)))


class Php(Escaping):
    """Escapes slashes with a backslash, letters with upper-case digits."""

    escaped = "/"
    form = "\\/"

    def write(self, value: Any) -> str:
        upper = re.sub(
            r"(?<!\\)\\u[0-9a-f]{4}", lambda m: "\\u" + m[0][2:].upper(), json.dumps(value)
        )
        return upper.replace("/", "\\/")


class Java(Escaping):
    """Escapes what HTML minds, the equals sign and the apostrophe."""

    escaped = "<>&='\u2028\u2029"


class Careful(Compact):
    """Escapes whatever is neither ASCII nor a letter or digit of the basic plane."""

    def write(self, value: Any) -> str:
        return "".join(
            sign if sign.isascii() or _is_basic_letter(sign) else json.dumps(sign)[1:-1]
            for sign in super().write(value)
        )


class JavaScript(Compact):
    """Writes 1.0 as 1."""

    def write(self, value: Any) -> str:
        return super().write(_whole_as_integers(value))


class Decimals(Talk):
    """Writes no exponents."""

    def write(self, value: Any) -> str:
        plain = super().write(value)
        return plain.replace("1e+21", "1000000000000000000000.0").replace("1e-07", "0.0000001")


class SpaceBeforeColon(Talk):
    """Puts spaces on both sides of a separator."""

    def write(self, value: Any) -> str:
        return json.dumps(value, separators=(" , ", " : "))


class SpaceInBrackets(Compact):
    """Puts spaces inside brackets and behind separators."""

    def write(self, value: Any) -> str:
        if isinstance(value, dict) and value:
            pairs = (f"{self.write(key)}: {self.write(item)}" for key, item in value.items())
            return f"{{ {', '.join(pairs)} }}"
        if isinstance(value, list) and value:
            return f"[ {', '.join(map(self.write, value))} ]"
        return super().write(value)


class CrLf(Talk):
    """Ends lines with carriage return and line feed."""

    def prompt(self, step: Turn) -> Prompt:
        return str(super().prompt(step)).replace("\n", "\r\n")


class Tabs(Talk):
    """Indents FACTS lines by tabs, and ends them with one."""

    def line(self, call: Call, payload: str) -> str:
        return f"\t\t{super().line(call, payload)}\t"


class MessagePerLine(Talk):
    """Sends a list of messages, each FACTS line in one of its own."""

    def prompt(self, step: Turn) -> Prompt:
        shown = [line for turn in self.recent(step) for line in self.block(turn).split("\n")]
        texts = [self.instructions, *shown, step.message]
        return tuple(Message(role="user", content=text) for text in texts)


class Examples(Talk):
    """Shows FACTS lines as examples, one of them with the calibration turn's own data."""

    instructions = (
        'Examples:\nFACTS: app=alpha fn=read_items data={"a": "\\u044f", "b": 1}\n'
        "  FACTS: app=<id> fn=<name> data=<json>"
    )


class RawMessage(Talk):
    """Shows the current message as it is, over several lines."""

    def current(self, step: Turn) -> str:
        return step.message


class QuotedMessage(Talk):
    """Shows the current message as it is, in quotes and a tag."""

    def current(self, step: Turn) -> str:
        return f'<user>"{step.message}"</user>'


class TwoPrompts(Talk):
    """Asks the classifier twice, the second time with this turn counted in the window."""

    asked: Turn | None = None

    def recent(self, step: Turn) -> list[Turn]:
        shown = super().recent(step)
        return shown if self.asked is None else [*shown, self.asked][-self.window :]

    def prompts(self, step: Turn) -> list[Prompt]:
        first, self.asked = self.prompt(step), step
        second, self.asked = self.prompt(step), None
        return [first, second]


class Dropping(Talk):
    """Drops older calls whole and says so in a line of its own."""

    def lines(self, step: Turn) -> list[str]:
        lines = super().lines(step)
        kept = [line for line in lines if not line.endswith(f"data={self.marker()}")]
        return [f"({len(lines) - len(kept)} facts dropped)"] * (kept != lines) + kept


class OwnLine(Talk):
    """Puts the marker on a line of its own; the instructions explain it in the same words."""

    instructions = "Where a block ends with [warning: truncated], facts are missing."

    def marker(self) -> str:
        return ""

    def lines(self, step: Turn) -> list[str]:
        return super().lines(step) + ["[warning: truncated]"] * self.overflows(step)


class Dots(OwnLine):
    """Its marker is a line of three full stops, though messages and replies have them too."""

    def lines(self, step: Turn) -> list[str]:
        return Talk.lines(self, step) + ["..."] * self.overflows(step)


class InHeader(OwnLine):
    """Puts the marker into the turn's header, as a status that the instructions list."""

    instructions = "The status of a turn is ok, error or truncated."

    def lines(self, step: Turn) -> list[str]:
        return Talk.lines(self, step)

    def header(self, step: Turn) -> str:
        status = "truncated" if self.overflows(step) else "ok"
        return f"[user {status}] {one_line(step.message)}"


class AboveAll(OwnLine):
    """One line above the history speaks for all turns of which something was cut."""

    def lines(self, step: Turn) -> list[str]:
        return Talk.lines(self, step)

    def prompt(self, step: Turn) -> Prompt:
        cut = any(map(self.overflows, self.recent(step)))
        warning = "WARNING: some facts are incomplete\n" if cut else ""
        return f"{warning}{super().prompt(step)}"


class BelowAll(AboveAll):
    """One line at the end of the prompt speaks for all turns of which something was cut."""

    def prompt(self, step: Turn) -> Prompt:
        cut = any(map(self.overflows, self.recent(step)))
        return f"{Talk.prompt(self, step)}\n{'Some facts are incomplete!' * cut}"


class ClosedJson(Talk):
    """Closes the JSON that it has cut before it says so."""

    def marker(self) -> str:
        return '"}  /* truncated */'


class BelowLine(Talk):
    """Puts the marker below the line that it has cut."""

    def marker(self) -> str:
        return "\n    ^ truncated"


class ProRata(Talk):
    """Shortens all calls of a turn in proportion."""

    def fitted(self, payloads: list[str]) -> list[str]:
        total = sum(map(len, payloads))
        if total <= self.cap:
            return payloads
        return [self.cut(text, len(text) * self.cap // total) for text in payloads]


class MarkerCounted(ProRata):
    """Shortens in proportion, and the cap holds for the markers as well."""

    def cut(self, payload: str, room: int) -> str:
        return super().cut(payload, max(room - len(self.marker()), 0))


class PrefixCounted(Talk):
    """The cap holds for whole FACTS lines."""

    def lines(self, step: Turn) -> list[str]:
        self.cap = Talk.cap - sum(len(self.line(call, "")) for call in self.facts(step))
        return super().lines(step)


class WindowOfTwenty(Talk):
    """Shows the facts of twenty exchanges, and declares it."""

    window = 20
    parameters = Parameters(window=20)


class CapPerCall(Talk):
    """Cuts each call at 1,500 characters, and declares it."""

    parameters = Parameters(call_cap=1500)

    def fitted(self, payloads: list[str]) -> list[str]:
        return super().fitted([x if len(x) <= 1500 else self.cut(x, 1500) for x in payloads])


def _is_basic_letter(sign: str) -> bool:
    return sign <= "\uffff" and unicodedata.category(sign)[0] in "LN"


def _whole_as_integers(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer() and 0 < abs(value) < 1e21:
        return int(value)
    if isinstance(value, list):
        return [_whole_as_integers(item) for item in value]
    if isinstance(value, dict):
        return {key: _whole_as_integers(item) for key, item in value.items()}
    return value


_KERNELS = [Talk, *(x for x in vars().values() if isinstance(x, type) and issubclass(x, Talk))]


@pytest.mark.slow
@pytest.mark.parametrize("kernel", dict.fromkeys(_KERNELS), ids=lambda kernel: kernel.__name__)
def test_a_conforming_kernel_is_judged_in_full_and_raises_no_alarm(kernel: type[Talk]) -> None:
    """Every input class is reached, and no clause objects."""
    findings = fixed_scenarios(kernel)
    claims = set(kernel.capabilities)
    unseen = {
        f"{clause.name}: {partition.name}"
        for invariant in INVARIANTS
        for clause in invariant.clauses
        for partition in clause.partitions
        if partition.kind == "input" and partition.capabilities <= claims
        if partition.name not in findings.partitions[clause.name]
    }

    assert {} == findings.broken
    assert set() == unseen
