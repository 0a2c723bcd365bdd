"""How fast an audit is, as a share of the speed at which orjson alone decodes the same bytes.

    pip install orjson
    python benchmarks/audit_speed.py --conversations 400

CPU time of one process, isolation included; and what it needs of memory.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path

import orjson
from made_recordings import write

from fedcheck.conformance.recordings.auditing import Asked, Audit

GOAL, MOST_MB = 0.3, 250


def main() -> None:
    """Print the numbers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--conversations", type=int, default=400)
    parser.add_argument("--most-turns", type=int, default=20)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, asked.conversations, 1, turns=(5, asked.most_turns))
        (folder / "planted.json").unlink()
        decoding, turns = _decoding(folder)
        began = time.process_time()
        with Audit(Asked((name,))) as audit:
            audit.run()
        spent = time.process_time() - began
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{turns:,} turns: orjson {decoding:.2f} s, audit {spent:.2f} s of CPU")
    met = decoding / spent >= GOAL and memory < MOST_MB
    print(f"goal {GOAL} and {MOST_MB} MB: {'met' if met else 'MISSED'}")
    print(f"ratio {decoding / spent:.3f}, {spent / turns * 1e6:.0f} µs a turn, {memory} MB")


def _decoding(folder: Path) -> tuple[float, int]:
    began, turns = time.process_time(), 0
    for path in sorted(folder.iterdir()):
        with path.open("rb") as file:
            for line in file:
                orjson.loads(line)
                turns += 1
    return time.process_time() - began, turns


if __name__ == "__main__":
    main()
