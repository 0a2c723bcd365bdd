"""Judge every guest of this folder and write the table of what was found.

Each guest gets an environment of its own below ``--work``; what is there already is used again.
Needs fedcheck with its extra ``agents``, and for the guests in JavaScript node and npm.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent


def guests() -> Iterator[Path]:
    """Yield the folder of each guest."""
    yield from sorted(each.parent for each in HERE.glob("*/my_agent.*"))


def kernel_of(guest: Path, work: Path) -> list[str]:
    """Install what a guest needs, and return the options that name it."""
    place = work / guest.name
    if (guest / "package.json").exists():
        if not (place / "node_modules").exists():
            place.mkdir(parents=True, exist_ok=True)
            (place / "package.json").write_bytes((guest / "package.json").read_bytes())
            npm = shutil.which("npm") or sys.exit(f"{guest.name} needs npm, which is not on PATH")
            subprocess.run([npm, "install", "--silent"], cwd=place, check=True)
        program = place / "my_agent.mjs"
        program.write_bytes((guest / "my_agent.mjs").read_bytes())
        return ["--kernel", f"agent:exec:node {program}"]
    python = place / "bin" / "python"
    if not python.exists():
        venv.create(place, with_pip=True)
        words = ["-m", "pip", "install", "-q", "-r", str(guest / "requirements.txt")]
        subprocess.run([str(python), *words], check=True)
    return ["--kernel", "agent:my_agent:chat", "--python", str(python)]


def judged(guest: Path, work: Path) -> dict[str, str]:
    """Judge a guest; return each required clause's verdict, and what it could not judge."""
    record = work / f"{guest.name}.ndjson"
    words = [*kernel_of(guest, work), "--record", str(record), "--timeout", "60"]
    command = [sys.executable, "-m", "fedcheck", "run", *words, "--counterexamples", ""]
    subprocess.run(command, cwd=guest, check=False)
    lines = map(json.loads, record.read_text("ascii").splitlines())
    return {each["clause"]: each["verdict"] for each in lines if each["type"] == "clause"}


def table(found: dict[str, dict[str, str]]) -> str:
    """Return runtime × clause as Markdown."""
    clauses = sorted({clause for verdicts in found.values() for clause in verdicts})
    head = f"| clause | {' | '.join(found)} |\n|---|{'---|' * len(found)}\n"
    rows = (
        f"| {clause} | {' | '.join(found[name].get(clause, '-') for name in found)} |\n"
        for clause in clauses
    )
    return head + "".join(rows)


def main() -> None:
    """Judge the guests that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--work", type=Path, default=Path(".guests"))
    options = parser.parse_args()
    wanted = [each for each in guests() if not options.names or each.name in options.names]
    found = {each.name: judged(each, options.work.resolve()) for each in wanted}
    sys.stdout.write(table(found))


if __name__ == "__main__":
    main()
