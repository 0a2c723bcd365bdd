"""A small kernel with a fact ledger, traces written by hand, and what the judges say of them.

A test replaces one decision of ``Talk`` and looks at what the clauses find.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from fedcheck.conformance.driving.judging import judge, unclaimed
from fedcheck.invariants import rows
from fedcheck.invariants.judges.ledger import (
    i_classifier_prompt_renders_fact_ledger,
    i_cross_turn_fact_ledger_deep_serialized,
    i_dispatch_result_data_plumbed,
    i_fact_ledger_per_turn_agg_cap,
    i_fact_ledger_pii_mask_default_off,
)
from fedcheck.invariants.scenarios.facts import CALIBRATION, CLOSING, EXPOSED
from fedcheck.invariants.vocabulary.json_values import parse
from fedcheck.invariants.vocabulary.messages import Message
from fedcheck.invariants.vocabulary.parameters import DOCUMENTED, Parameters
from fedcheck.invariants.vocabulary.protocol import needs
from fedcheck.invariants.vocabulary.scenario import Call, Environment, Turn
from fedcheck.invariants.vocabulary.trace import (
    AnyEvent,
    ClassifierPrompt,
    Digest,
    Given,
    KernelDescription,
    Trace,
)
from fedcheck.invariants.vocabulary.verdict import Compared, Finding

INVARIANTS = tuple(
    module.INVARIANT
    for module in (
        i_classifier_prompt_renders_fact_ledger,
        i_cross_turn_fact_ledger_deep_serialized,
        i_dispatch_result_data_plumbed,
        i_fact_ledger_per_turn_agg_cap,
        i_fact_ledger_pii_mask_default_off,
    )
)

Prompt = str | tuple[Message, ...]
_PERSONAL = re.compile(r"(?<![\w.+%'-])[\w.+%'-]+@[\w.-]+|\+\d[\d ().-]{6,}\d|[A-Z]\w+ [A-Z]\w+")


class Talk:
    """Keeps every promise of the fact ledger; a test overrides one method or attribute."""

    capabilities: tuple[str, ...] = ("fact_ledger", "digest", "env_per_scenario")
    parameters: Parameters = DOCUMENTED
    window = 5
    cap = 3000
    instructions = "Decide which tool answers the user."

    def __init__(self, flags: dict[str, str]) -> None:
        self.exposed = flags.get("IMPERAL_FACT_LEDGER_EXPOSE_PII") == "true"
        self.memory: defaultdict[tuple[str, str], list[Turn]] = defaultdict(list)

    def turn(self, step: Turn) -> list[AnyEvent]:
        """Show the prompt, then the digests; remember the exchange."""
        events: list[AnyEvent] = [ClassifierPrompt(prompt=prompt) for prompt in self.prompts(step)]
        events += self.digests(step)
        self.memory[step.user, step.session].append(step)
        return events

    def prompts(self, step: Turn) -> list[Prompt]:
        """The prompts that the classifier gets in this turn."""
        return [self.prompt(step)]

    def digests(self, step: Turn) -> list[AnyEvent]:
        """One digest per fact."""
        return [
            Digest(app_id=x.app, fn_name=x.function, data_facts_json=self.payload(x))
            for x in self.facts(step)
        ]

    def prompt(self, step: Turn) -> Prompt:
        """Instructions, history, message."""
        history = "\n".join(["[HISTORY]", *map(self.block, self.recent(step))])
        return "\n\n".join([self.instructions, history, self.current(step)])

    def recent(self, step: Turn) -> list[Turn]:
        """The exchanges that are shown."""
        return self.memory[step.user, step.session][-self.window :]

    def current(self, step: Turn) -> str:
        """The message of this turn."""
        return f"[MESSAGE]\n{one_line(step.message)}"

    def block(self, step: Turn) -> str:
        """One exchange."""
        return "\n".join([self.header(step), *self.lines(step)])

    def header(self, step: Turn) -> str:
        """The preview of one exchange."""
        return f"[2026-05-15T17:21:04Z user ok] {one_line(step.message)} → {one_line(step.draft)}"

    def lines(self, step: Turn) -> list[str]:
        """The FACTS lines of one exchange."""
        calls = self.facts(step)
        payloads = self.fitted([self.payload(x) for x in calls])
        return [self.line(x, text) for x, text in zip(calls, payloads, strict=True)]

    def facts(self, step: Turn) -> list[Call]:
        """The calls that become facts."""
        return [x for x in step.calls if x.status == "success"]

    def line(self, call: Call, payload: str) -> str:
        """One FACTS line."""
        return f"FACTS: app={call.app} fn={call.function} data={payload}"

    def payload(self, call: Call) -> str:
        """The data of a call as text."""
        return self.write(self.masked(self.data(call)))

    def data(self, call: Call) -> Any:
        """What is recorded of a call."""
        value = parse(call.data_json)
        if isinstance(value, dict):
            value.pop("_action_meta", None)
        return value

    def masked(self, value: Any) -> Any:
        """The value without personal data, unless it may be shown."""
        return value if self.exposed else _masked(value)

    def write(self, value: Any) -> str:
        """A value as JSON."""
        return json.dumps(value)

    def overflows(self, step: Turn) -> bool:
        """Whether the facts of an exchange exceed the cap."""
        return sum(len(self.payload(x)) for x in self.facts(step)) > self.cap

    def fitted(self, payloads: list[str]) -> list[str]:
        """The payloads of an exchange, the newest whole first."""
        room, shown = self.cap, list[str]()
        for text in reversed(payloads):
            shown.append(text if len(text) <= room else self.cut(text, room))
            room -= min(room, len(text))
        return shown[::-1]

    def cut(self, payload: str, room: int) -> str:
        """The leading part of a payload, and a marker."""
        return f"{payload[:room]}{self.marker()}"

    def marker(self) -> str:
        """What says that something was cut."""
        return "…[truncated]"


def _masked(value: Any) -> Any:
    if isinstance(value, str):
        return _PERSONAL.sub("[masked]", value)
    if isinstance(value, list):
        return [_masked(item) for item in value]
    if isinstance(value, dict):
        return {_masked(key): _masked(item) for key, item in value.items()}
    return value


def one_line(text: str) -> str:
    """A text without line ends."""
    return " ".join(text.split())


@dataclass
class Findings:
    """What the clauses said of one or more traces, by the clauses' names."""

    kinds: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    steps: defaultdict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    partitions: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    compared: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))

    @property
    def broken(self) -> dict[str, set[str]]:
        """The kinds of violation by clause."""
        return {name: kinds for name, kinds in self.kinds.items() if kinds}

    def add(self, trace: Trace) -> None:
        """Let every clause that the kernel claims read a trace."""
        claimed = {
            f"{invariant.id}/{clause.name}": (invariant, clause)
            for invariant in INVARIANTS
            for clause in invariant.clauses
            if not unclaimed(invariant, clause, frozenset(trace.kernel.capabilities))
        }
        for clause_id, findings in judge(trace, claimed).items():
            for finding in findings:
                self._keep(clause_id.rpartition("/")[2], finding)

    def _keep(self, clause: str, finding: Finding) -> None:
        if isinstance(finding, Compared):
            self.compared[clause] += 1
            self.partitions[clause].update(finding.partitions)
        else:
            self.kinds[clause].add(finding.kind)
            self.steps[clause].add(finding.step)


def play(kernel: type[Talk], *turns: Turn, environment: Environment = EXPOSED) -> Trace:
    """Let a kernel take the turns, and write the trace."""
    talk = kernel(environment.flags)
    return told(
        *((step, talk.turn(step)) for step in turns),
        environment=environment,
        capabilities=kernel.capabilities,
        parameters=kernel.parameters,
    )


def told(
    *turns: tuple[Turn, list[AnyEvent]],
    environment: Environment = EXPOSED,
    capabilities: tuple[str, ...] = Talk.capabilities,
    parameters: Parameters = DOCUMENTED,
    complete_from: int = 0,
    first_step: int = 0,
) -> Trace:
    """Write a trace by hand: each turn with the kernel's events."""
    return Trace(
        events=tuple(_events(turns, first_step)),
        kernel=KernelDescription(
            kernel="talk", version="1", capabilities=capabilities, parameters=parameters
        ),
        environment=environment,
        complete_from=complete_from,
        origin="recording" if complete_from else "suite",
    )


def _events(turns: tuple[tuple[Turn, list[AnyEvent]], ...], first: int) -> Iterator[AnyEvent]:
    for index, (step, events) in enumerate(turns, start=first):
        yield Given(step=index, user=step.user, session=step.session, stimulus=step)
        for event in events:
            yield replace(event, step=index, user=step.user, session=step.session)


def judged(*traces: Trace) -> Findings:
    """Return what the clauses say of the traces."""
    findings = Findings()
    for trace in traces:
        findings.add(trace)
    return findings


def conversation(kernel: type[Talk], *turns: Turn, environment: Environment = EXPOSED) -> Findings:
    """Let a kernel take a calibration turn, the turns and a closing turn; judge the trace."""
    return judged(play(kernel, CALIBRATION, *turns, CLOSING, environment=environment))


def fixed_scenarios(kernel: type[Talk]) -> Findings:
    """Let a kernel take every fixed scenario of turns of the five invariants; judge the traces."""
    return judged(
        *(
            play(kernel, *scenario.steps, environment=scenario.environment)  # type: ignore[arg-type]
            for invariant in INVARIANTS
            for scenario in rows.fixed_scenarios(
                invariant, INVARIANTS, kernel.parameters, frozenset(kernel.capabilities)
            )
            if needs(scenario) <= set(kernel.capabilities)
        )
    )
