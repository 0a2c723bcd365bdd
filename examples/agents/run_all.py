"""Judge every guest of this folder, confirm what was found, and write the table of it.

Each guest gets an environment of its own below ``--work``; what is there already is used again.
Needs fedcheck, for the guests in JavaScript node and npm, and for the one
that keeps its sessions in PostgreSQL the server of that name, which is started in a temporary
folder and ended. What a red verdict comes from stands in a guest's ``guest.toml``, with a program
that shows it with that runtime alone.

Exit code 0 if each red verdict of a MUST clause is explained there, each explained one is red, and
each program shows what it is to show.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fedcheck.conformance.driving.plan import plan_run
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.invariants.scenarios.agents import asks, item
from fedcheck.invariants.vocabulary.scenario import Restart, Scenario
from fedcheck.invariants.vocabulary.toml_file import read_toml

HERE = Path(__file__).resolve().parent
DATABASE = "GUEST_DATABASE"
"""The variable that names the database to a guest."""

_NO_SERVER = "a guest needs PostgreSQL's server (Debian: postgresql), which is not installed"
_GLANCE_SECONDS = 0.5
_TICKS = os.sysconf("SC_CLK_TCK")
_MARKS = {
    "fail": "**fail**",
    "flaky": "**flaky**",
    "error": "**error**",
    "not_claimed": "–",
    "not_exercised": "not met",
}
_BROKEN = ("fail", "flaky")


class Guest:
    """A runtime as it is wired here.

    Args:
        home: the folder with its wiring.
        work: where environments and records are kept.
    """

    def __init__(self, home: Path, work: Path) -> None:
        self.home, self.name = home, home.name
        self.about = read_toml(home / "guest.toml")
        self.place = work / self.name
        self.record = work / f"{self.name}.ndjson"
        self.facts = work / f"{self.name}.json"
        self.is_javascript = (home / "package.json").exists()

    def installed(self) -> None:
        """Install what it needs, unless that was done before."""
        if self.is_javascript:
            self.place.mkdir(parents=True, exist_ok=True)
            for file in (*self.home.glob("*.mjs"), self.home / "package.json"):
                shutil.copy(file, self.place)
            if not (self.place / "node_modules").exists():
                npm = shutil.which("npm") or sys.exit(f"{self.name} needs npm: is it on PATH?")
                subprocess.run([npm, "install", "--silent"], cwd=self.place, check=True)
        elif not self.python.exists():
            venv.create(self.place, with_pip=True)
            needs = ["-r", str(self.home / "requirements.txt")]
            subprocess.run([str(self.python), "-m", "pip", "install", "-q", *needs], check=True)

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.place / "bin" / "python"

    @property
    def options(self) -> list[str]:
        """The options of fedcheck that name it."""
        if self.is_javascript:
            return ["--kernel", f"agent:exec:node {self.place / 'my_agent.mjs'}"]
        return ["--kernel", "agent:my_agent:chat", "--python", str(self.python)]

    @property
    def versions(self) -> dict[str, str]:
        """The versions of its packages that matter."""
        names: list[str] = self.about["packages"]
        if self.is_javascript:
            files = {name: self.place / "node_modules" / name / "package.json" for name in names}
            return {name: json.loads(file.read_bytes())["version"] for name, file in files.items()}
        code = "import importlib.metadata as m, sys; print(*map(m.version, sys.argv[1:]))"
        done = subprocess.run(
            [str(self.python), "-c", code, *names], check=True, capture_output=True, text=True
        )
        return dict(zip(names, done.stdout.split(), strict=True))

    def judge(self, more: list[str]) -> None:
        """Judge it, confirm what is known of it, and keep what the page needs.

        Args:
            more: further options of ``fedcheck run``.
        """
        words = [*self.options, *more, "--record", str(self.record), "--timeout", "60"]
        command = [sys.executable, "-m", "fedcheck", "run", *words, "--counterexamples", ""]
        with self.surroundings():
            began, times = time.monotonic(), _Times()
            process = subprocess.Popen([*command, "--pass-env", DATABASE], cwd=self.home)
            while process.poll() is None:
                times.look(process.pid)
                time.sleep(_GLANCE_SECONDS)
        seconds = time.monotonic() - began
        facts = {
            "versions": self.versions,
            "exit_code": process.returncode,
            "seconds": round(seconds),
            "cpu": {"guest": times.of(guest=True), "fedcheck": times.of(guest=False)},
            "load": round(os.getloadavg()[0], 1),
            "more": more,
        }
        self.facts.write_text(json.dumps(facts, indent=1) + "\n", "utf-8")

    def surroundings(self) -> contextlib.AbstractContextManager[None]:
        """Have what it needs beside its process."""
        return database() if self.about.get("postgres") else contextlib.nullcontext()

    def confirm(self) -> None:
        """Keep what the programs say that show its findings, and what its restarts cost."""
        facts = json.loads(self.facts.read_bytes())
        facts["confirmed"] = {name: self.confirmed(name) for name in self.programs}
        with self.surroundings():
            facts["restarts"] = restarts(self)
        self.facts.write_text(json.dumps(facts, indent=1) + "\n", "utf-8")

    @property
    def programs(self) -> list[str]:
        """The programs that show a finding without fedcheck."""
        found = [red.get("confirm", "") for red in self.about.get("red", ())]
        return sorted(filter(None, set(found)))

    def confirmed(self, program: str) -> str:
        """Run such a program; return what it says, or nothing if it does not show the finding."""
        command = ["node", self.place / program] if self.is_javascript else [self.python, program]
        done = subprocess.run(
            list(map(str, command)), cwd=self.home, capture_output=True, text=True, check=False
        )
        if done.returncode:
            sys.stderr.write(f"{self.name}/{program} shows nothing:\n{done.stderr[-2000:]}\n")
            return ""
        return done.stdout.strip()

    def lines(self, kind: str) -> Iterator[dict[str, Any]]:
        """Yield the lines of its record that are of a kind."""
        for line in map(json.loads, self.record.read_text("ascii").splitlines()):
            if line["type"] == kind:
                yield line

    @property
    def verdicts(self) -> dict[str, dict[str, Any]]:
        """The clauses about agents, by id."""
        found = {each["clause"]: each for each in self.lines("clause")}
        return {name: each for name, each in found.items() if name.startswith("C-AGENT-")}

    def unexplained(self) -> Iterator[str]:
        """Yield what ``guest.toml`` and the record say otherwise."""
        explained = {clause for red in self.about.get("red", ()) for clause in red["clauses"]}
        for name, each in self.verdicts.items():
            broken = each["verdict"] in _BROKEN
            if each["verdict"] == "error" or (broken and name not in explained):
                yield f"{self.name}: {name} is {each['verdict']}, and guest.toml does not say why"
            if not broken and name in explained:
                yield f"{self.name}: {name} is {each['verdict']}, and guest.toml explains why not"
        facts = json.loads(self.facts.read_bytes())
        for program in self.programs:
            if not facts["confirmed"].get(program):
                yield f"{self.name}: {program} does not show what it is to show"


class _Times:
    """CPU of the processes of a run as they were last seen, so that killed ones count too."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[float, bool]] = {}

    def of(self, *, guest: bool) -> float:
        """Seconds of CPU that the guest took, or fedcheck."""
        found = sum(seconds for seconds, of_guest in self._seen.values() if of_guest is guest)
        return round(found, 1)

    def look(self, root: int) -> None:
        """Look at a process and all that it started; only Linux tells of them."""
        found: dict[int, tuple[int, float, str]] = {}
        for each in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                words = (each / "stat").read_text().rpartition(")")[2].split()
                seconds = (int(words[11]) + int(words[12])) / _TICKS
                command = (each / "cmdline").read_bytes().decode("utf-8", "replace")
                found[int(each.name)] = int(words[1]), seconds, command
        for number, (_, seconds, command) in found.items():
            line = [number]
            while line[-1] in found and line[-1] != root:
                line.append(found[line[-1]][0])
            if line[-1] == root and command:  # what has ended has none
                self._seen[number] = seconds, number != root and "supervisor.py" not in command


def restarts(guest: Guest) -> tuple[int, float]:
    """Return how often a gate restarts a guest, and the CPU of a start with its first turn."""
    words = dict(zip(guest.options[::2], guest.options[1::2], strict=True))
    python = words.get("--python", "")
    os.chdir(guest.home)
    asked = RunOptions(kernel=words["--kernel"], python=python, timeout=60, pass_env=(DATABASE,))
    with plan_run(asked) as plan:
        rows = [row for each in plan.invariants for row in plan.fixed_scenarios(each)]
        number = sum(isinstance(step, Restart) for row in rows for step in row.steps)
        plan.session.adapter.run(Scenario(id="first", steps=(asks("one", item("pearl")),)))
        times = _Times()
        times.look(os.getpid())
    return number, times.of(guest=True)


@contextlib.contextmanager
def database() -> Generator[None]:
    """Have a PostgreSQL server in a folder of its own, which goes with it."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=_version)
    initdb = found[-1] if found else Path(shutil.which("initdb") or sys.exit(_NO_SERVER))
    as_owner: dict[str, Any] = {"user": "postgres"} if os.geteuid() == 0 else {}
    quiet: dict[str, Any] = {**as_owner, "stdout": subprocess.DEVNULL, "cwd": "/"}
    home = pwd.getpwnam("postgres").pw_dir if as_owner else None  # it refuses to run as root
    with tempfile.TemporaryDirectory(prefix="guest-", dir=home) as folder:
        if as_owner:
            shutil.chown(folder, "postgres")
        data = ["-D", f"{folder}/data"]
        words = [*data, "-U", "guest", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run([initdb, *words], check=True, **quiet)
        listening = ["-k", folder, "-c", "listen_addresses=", "-F"]
        with subprocess.Popen(
            [initdb.with_name("postgres"), *data, *listening], stderr=subprocess.DEVNULL, **quiet
        ) as server:
            try:
                ready = [initdb.with_name("pg_isready"), "-q", "-h", folder]
                while server.poll() is None and subprocess.run(ready, check=False).returncode:
                    time.sleep(0.1)
                os.environ[DATABASE] = f"host={folder} user=guest dbname=postgres"
                yield
            finally:
                os.environ.pop(DATABASE, None)
                server.send_signal(signal.SIGINT)  # ends sessions that are open


def _version(initdb: Path) -> tuple[int, ...]:
    return tuple(int(word) for word in initdb.parts[-3].split("."))


def page(guests: Sequence[Guest]) -> str:
    """Return what is known of the guests that were judged, as Markdown."""
    facts = {guest.name: json.loads(guest.facts.read_bytes()) for guest in guests}
    header = next(guests[0].lines("header"))
    clauses = sorted({clause for guest in guests for clause in guest.verdicts})
    kept = {guest.name: guest.verdicts for guest in guests}
    verdicts = [
        [_named(clause, kept), *(_mark(kept[guest.name].get(clause)) for guest in guests)]
        for clause in clauses
    ]
    return _PAGE.format(
        set=header["requirement_set"]["name"],
        digest=header["requirement_set"]["digest"][:12],
        version=header["suite"]["version"],
        date=max(next(guest.lines("header"))["started"] for guest in guests)[:10],
        profile=header["profile"],
        examples=header["examples"],
        machine=f"{os.cpu_count()} cores, Python {platform.python_version()}",
        guests="\n".join(_row([_title(x), _versions(x, facts), x.about["wired"]]) for x in guests),
        head=_row(["clause", *(guest.about["title"] for guest in guests)]),
        line=_row(["---"] * (len(guests) + 1)),
        verdicts="\n".join(map(_row, verdicts)),
        red="\n\n".join(filter(None, (_red(x, facts[x.name]) for x in guests))),
        times="\n".join(_row([_title(x), *_timed(facts[x.name])]) for x in guests),
    )


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _title(guest: Guest) -> str:
    return f"[{guest.about['title']}](../examples/agents/{guest.name}/)"


def _versions(guest: Guest, facts: Mapping[str, Any]) -> str:
    return ", ".join(f"{x} {version}" for x, version in facts[guest.name]["versions"].items())


def _named(clause: str, kept: Mapping[str, Mapping[str, Any]]) -> str:
    level = next(found[clause]["level"] for found in kept.values() if clause in found)
    return f"`{clause.removeprefix('C-AGENT-')}`{'' if level == 'MUST' else ' (advisory)'}"


def _mark(clause: Mapping[str, Any] | None) -> str:
    verdict = clause["verdict"] if clause else "not_claimed"
    return _MARKS.get(verdict, verdict)


def _red(guest: Guest, facts: Mapping[str, Any]) -> str:
    told = [f"### {guest.about['title']}"]
    for red in guest.about.get("red", ()):
        names = ", ".join(f"`{x.removeprefix('C-AGENT-')}`" for x in red["clauses"])
        told.append(f"{names}: {' '.join(red['text'].split())}")
        if program := red.get("confirm"):
            where = f"[{Path(program).name}](../examples/agents/{guest.name}/{program})"
            told.append(f"{where} shows it without fedcheck:")
            told.append(f"```text\n{facts['confirmed'][program]}\n```")
    return "\n\n".join(told) if len(told) > 1 else ""


def _timed(facts: Mapping[str, Any]) -> Iterator[str]:
    number, each = facts["restarts"]
    guest, ours = facts["cpu"]["guest"], facts["cpu"]["fedcheck"]
    yield f"{guest - number * each:.0f}"
    yield f"{number} × {each}" if number else "none"
    yield f"{ours:.0f}"
    more = " ".join(facts.get("more", ()))
    yield f"{facts['seconds']}{f', with `{more}`' if more else ''}"
    yield f"{facts['load']}"


_PAGE = """# Agent runtimes that were judged

What fedcheck {version} says of agent runtimes as they are published, each wired by the twenty lines
of [examples/agents](../examples/agents/). This page is written by `examples/agents/run_all.py` from
the records of its runs, the last of {date}: requirement set `{set}` ({digest}…), profile {profile},
{examples} drawn scenarios for each invariant.

A verdict is about a runtime, its version *and* its wiring: wired otherwise it may do otherwise.
What a runtime does not claim is not judged, which is neither good nor bad.
[The profile](agent-profile.md) says what each clause is about and where it is promised.

```sh
python examples/agents/run_all.py --write docs/agents.md      # or with the names of some
```

## The guests

| guest | versions | how it is wired |
|---|---|---|
{guests}

## Verdicts

{head}
{line}
{verdicts}

–: not claimed. *not met*: what the clause is about never came. *flaky*: seen to fail, and not each
time that the same was tried again. *advisory*: a SHOULD, which decides nothing.

## What is red, and why

Each has been looked at: none is the wiring's. The programs beside the wiring show the same with the
runtime alone; what they print stands here.

{red}

## How long a gate takes

Seconds of CPU, on {machine}. A restart starts the runtime anew, which is counted apart: the start
with its first turn. fedcheck waits for nothing, so that on an idle machine a gate takes as long as
its parts together. How long it took here stands beside the load of the machine at its end: above 1,
others were at work too.

| guest | turns of the runtime | restarts | fedcheck | elapsed | load |
|---|---|---|---|---|---|
{times}
"""


def main() -> None:
    """Judge the guests that are named, or all; write what is known of all that were ever judged."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="guests to judge; all if none is named")
    parser.add_argument("--work", type=Path, default=Path(".guests"), help="for all that is kept")
    parser.add_argument("--write", type=Path, help="where the page goes")
    parser.add_argument("--known", action="store_true", help="judge none anew, use what is kept")
    parser.add_argument("--examples", type=int, help="scenarios to draw, as for fedcheck run")
    parser.add_argument("--reduce", help="scenarios to make a failure small, as for fedcheck run")
    options = parser.parse_args()
    work: Path = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    page_file: Path | None = options.write and options.write.resolve()
    homes = sorted(file.parent for file in HERE.glob("*/guest.toml"))
    if unknown := set(options.names) - {home.name for home in homes}:
        sys.exit(
            f"no guest {', '.join(sorted(unknown))}: there are {', '.join(x.name for x in homes)}"
        )
    guests = [Guest(home, work) for home in homes]
    wanted = [guest for guest in guests if not options.names or guest.name in options.names]
    asked = {"--examples": options.examples, "--reduce": options.reduce}
    more = [word for name, x in asked.items() if x is not None for word in (name, str(x))]
    for guest in wanted:
        guest.installed()
        if not options.known:
            guest.judge(more)
    judged = [guest for guest in guests if guest.facts.exists()]
    wanted = [guest for guest in wanted if guest in judged]
    for guest in wanted:
        guest.confirm()
    if page_file:
        page_file.write_text(page(judged), "utf-8")
    problems = [line for guest in wanted for line in guest.unexplained()]
    sys.exit("\n".join(problems) or None)


if __name__ == "__main__":
    main()
