"""How soon Chromium shows the HTML report of a large record, in wall-clock time.

The record is the worse one of ``reports_speed.py``: 10,000 lines of evidence.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from _measure import goal
from reports_speed import large_record

from fedcheck.reports.html.report import html_report

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "reports"))
from chromium import chromium, find_chromium  # the tests have a way to a browser

_FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


def main() -> None:
    """Open the report three times and tell the best first paint."""
    program = find_chromium()
    if program is None:
        sys.exit("no Chromium was found: install the package chromium")
    page = html_report(large_record(0))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        path.write_text(page, encoding="utf-8")
        with chromium(program, Path(folder) / "profile") as browser:
            paints: list[float] = []
            for _ in range(3):
                browser.open(path)
                paints.append(browser.evaluate(_FIRST_PAINT) / 1000)
    print(f"size         {goal(len(page.encode()) / 1e6, 5, ' MB')}")
    print(f"first paint  {goal(min(paints), 2, ' s')}")


if __name__ == "__main__":
    main()
