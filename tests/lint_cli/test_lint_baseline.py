"""``--baseline``: hides what was there, ages, and fails when an entry is gone."""

from __future__ import annotations

import datetime as dt
import json
import os
import re
from pathlib import Path

import pytest

from fedcheck.lint.engine.ignores.baseline import read_baseline
from fedcheck.lint.engine.run import Linter
from fedcheck.lint.settings.model import Settings


@pytest.fixture
def legacy(lint, tmp_path: Path) -> Path:
    """A tree with two findings, both in the baseline."""
    (tmp_path / "main.py").write_text("bad(1)\ngood()\n")
    done = lint("--baseline", "base.json", "--update-baseline")
    assert (0, "base.json: 2 accepted findings, 2 of them new; 0 dropped.\n") == done[:2]
    return tmp_path / "base.json"


def found(lint, *words: str) -> list[tuple[str, int, str]]:
    """Return path, line and code of what is left."""
    listed = json.loads(lint("--baseline", "base.json", "--format", "json", *words).out)
    return [(finding["path"], finding["line"], finding["code"]) for finding in listed]


def test_what_is_in_the_baseline_is_hidden(lint, legacy: Path) -> None:
    """Also when lines have moved; a new finding is not."""
    assert [] == found(lint)

    (legacy.parent / "main.py").write_text("\n\nbad(1)\ngood()\nbad(2)\n")
    assert [("main.py", 5, "FED901")] == found(lint)


def test_a_second_finding_of_the_same_kind_is_new(lint, legacy: Path) -> None:
    """One entry hides one finding."""
    (legacy.parent / "main.py").write_text("bad(1)\ngood()\nbad(1)\n")

    assert [("main.py", 3, "FED901")] == found(lint)


def test_a_stale_entry_fails_and_names_its_line(lint, legacy: Path) -> None:
    """The finding stands in the baseline itself; --update-baseline drops the entry."""
    (legacy.parent / "main.py").write_text("good()\n")

    line = 1 + next(n for n, x in enumerate(legacy.read_text().splitlines()) if "FED901" in x)
    assert [("base.json", line, "FED004")] == found(lint)
    assert 1 == lint("--baseline", "base.json", "--fail-on", "error").code
    assert "1 dropped" in lint("--baseline", "base.json", "--update-baseline").out
    assert [] == found(lint)


def test_an_entry_of_a_retired_rule_is_stale(lint, legacy: Path) -> None:
    """Nothing finds it any more; --update-baseline drops the entry."""
    legacy.write_text(legacy.read_text().replace("FED901", "FED405"))

    assert ["FED004", "FED901"] == sorted(code for _, _, code in found(lint))
    assert "1 dropped" in lint("--baseline", "base.json", "--update-baseline").out
    assert ["FED901"] == [code for _, _, code in found(lint)]


def test_updating_leaves_new_findings_out(lint, legacy: Path) -> None:
    """They fail as before; the list only shrinks, and --accept-new is what lets it grow."""
    (legacy.parent / "main.py").write_text("good()\nbad(2)\nbad(2)\n")
    update = ("--baseline", "base.json", "--update-baseline")

    done = lint(*update)
    assert 1 == done.code
    assert "base.json: 1 accepted finding, 0 of them new; 1 dropped." == done.out.splitlines()[0]
    left = "2 new findings left out; mend what is new, or add --accept-new."
    assert left == done.out.splitlines()[1]
    assert [("main.py", 2, "FED901"), ("main.py", 3, "FED901")] == found(lint)
    assert (0, "base.json: 3 accepted findings, 2 of them new; 0 dropped.\n") == (
        lint(*update, "--accept-new")[:2]
    )
    assert [] == found(lint)


def test_accept_new_needs_update_baseline(lint, legacy: Path) -> None:
    """Alone it would do nothing."""
    done = lint("--baseline", legacy.name, "--accept-new")

    assert (2, True) == (done.code, "--accept-new needs --update-baseline" in done.err)


def test_an_entry_of_a_deleted_file_is_stale(lint, legacy: Path) -> None:
    """The debt is gone with the file."""
    (legacy.parent / "main.py").unlink()
    (legacy.parent / "app.py").write_text("x = 1\n")

    assert {"FED004"} == {code for _, _, code in found(lint)}


def test_no_entry_is_stale_while_something_cannot_be_linted(lint, legacy: Path) -> None:
    """And updating keeps the entries of what could not be read."""
    before = legacy.read_text()
    (legacy.parent / "main.py").write_text("print 'not yet'\n")

    assert [] == found(lint)
    assert 3 == lint("--baseline", "base.json", "--update-baseline").code
    assert before == legacy.read_text()


def test_what_was_not_linted_is_not_stale(lint, legacy: Path) -> None:
    """Other files, and rules that were off, are not judged."""
    (legacy.parent / "other.py").write_text("x = 1\n")

    assert [] == found(lint, "other.py")
    (legacy.parent / "main.py").write_text("bad(1)\n")
    assert [] == found(lint, "--ignore", "FED902")


def test_entries_age(legacy: Path, toys) -> None:
    """After the days that the settings allow, the finding is back, and updating does not help."""
    for later, expected in ((180, 0), (181, 2)):
        today = dt.datetime.now(dt.timezone.utc).date() + dt.timedelta(days=later)
        base = read_baseline(legacy, 180, may_be_missing=False)
        on = frozenset(rule.code for rule in toys.TOY_RULES)
        linter = Linter([Path()], Settings(), toys.TOY_RULES, on, baseline=base, today=today)
        outcome = linter.lint()
        left = [finding for finding in outcome.findings if not finding.suppressed]
        assert expected == len(left)
        assert all("for more than 180 days" in finding.text for finding in left)
        updated = base.updated(outcome.findings, today, linter.covers, linter.on, grows=True)
        assert [e.added for e in base.entries] == [e.added for e in updated.entries]


def test_an_entry_from_a_day_to_come_does_not_count(lint, legacy: Path) -> None:
    """It would never grow old; tomorrow is today elsewhere."""
    today = dt.datetime.now(dt.timezone.utc).date()
    text = legacy.read_text()
    for days, expected in ((1, 0), (3, 2)):
        day = (today + dt.timedelta(days=days)).isoformat()
        legacy.write_text(re.sub(r'"added": "[0-9-]+"', f'"added": "{day}"', text))
        done = lint("--baseline", "base.json")
        assert expected == done.out.count("a day that is still to come")


def test_an_update_tells_of_entries_that_no_longer_count(lint, legacy: Path) -> None:
    """It keeps them and their findings fail: 'accepted' alone would be a riddle."""
    today = dt.datetime.now(dt.timezone.utc).date()
    words = ("--baseline", "base.json", "--update-baseline", "--accept-new")
    assert (0, False) == ((done := lint(*words)).code, "no longer hidden" in done.out)
    for days in (-181, 3):
        day = (today + dt.timedelta(days=days)).isoformat()
        legacy.write_text(re.sub(r'"added": "[0-9-]+"', f'"added": "{day}"', legacy.read_text()))

        done = lint(*words)

        assert (1, "2 accepted findings no longer hidden") == (
            done.code,
            done.out.splitlines()[1].partition(",")[0],
        )


def test_the_baseline_lies_where_it_lies(lint, legacy: Path, monkeypatch) -> None:
    """Its paths count from its own folder, wherever the command runs."""
    (legacy.parent / "deeper").mkdir()
    monkeypatch.chdir(legacy.parent / "deeper")

    done = lint("..", "--baseline", os.path.join("..", "base.json"), "--format", "concise")  # noqa: PTH118

    assert (0, "") == done[:2]


def test_the_settings_name_it(lint, legacy: Path) -> None:
    """``baseline`` of the settings counts from the folder of the settings."""
    (legacy.parent / "fedcheck.toml").write_text('[lint]\nbaseline = "base.json"\n')

    assert 0 == lint().code
    assert 1 == lint("--isolated").code


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is no baseline"),
        ("[]", "is no baseline"),
        ('{"version": 2, "entries": []}', "baseline of version 2"),
        ('{"version": 1, "entries": [{"path": "x"}]}', "missing required field"),
        ('{"version": 1, "entries": [], "colour": 1}', "colour"),
        ('{"version": 1, "entries": [{"path": "\xff"}]}', "is no baseline"),
        ("[" * 100_000, "is no baseline"),
    ],
)
def test_a_broken_baseline_is_wrong_usage(lint, tmp_path: Path, text: str, message: str) -> None:
    """It is never taken for an empty one."""
    (tmp_path / "base.json").write_text(text, encoding="latin-1")

    done = lint("--baseline", "base.json")

    assert 2 == done.code
    assert message in done.err


@pytest.mark.parametrize("kept", [0, 1])
def test_who_has_a_baseline_is_offered_none(lint, legacy: Path, kept: int) -> None:
    """Neither beside what it hides nor where all of its entries are gone."""
    hint = "To start from here: fedcheck lint --baseline FILE --update-baseline"
    (legacy.parent / "main.py").write_text("bad(1)\n" * kept + "bad(2)\n" * 21)
    assert hint in lint().out
    assert hint not in lint("--baseline", "base.json").out
