"""Secrets of a command line never reach a record."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.record.model import UtcTime
from fedcheck.reports.record.redact import redact, redact_arguments
from fedcheck.reports.record.sample import (
    sample_clause,
    sample_counterexample,
    sample_incident,
    sample_record,
)
from fedcheck.reports.record.surroundings import PACKAGES, current_surroundings, utc_now
from fedcheck.reports.record.writer import write_record


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("http://user:hunter2@host/x?y=1", "http://***@host/x?y=1"),
        ("http://host/?api_key=hunter2&y=1", "http://host/?api_key=***&y=1"),
        ("exec:env MY_TOKEN=hunter2 node k.js", "exec:env MY_TOKEN=*** node k.js"),
        ("exec:env A=hunter2 PORT=80 node k.js", "exec:env A=*** PORT=*** node k.js"),
        ("exec:k -phunter2 -u'hunter2' -jar k.jar -v", "exec:k -p*** -u*** -jar k.jar -v"),
        ("run --kernel 'exec:k -phunter2' --seed 7", "run --kernel 'exec:k -p***' --seed 7"),
        ("exec:./krn passwd:hunter2", "exec:./krn passwd:***"),
        ('exec:k {"password": "hunter 2"}', 'exec:k {"password": ***}'),
        ("exec:k -log-level=debug -n 2 -v", "exec:k -log-level=*** -n 2 -v"),
        ("exec:k -p hunter2 -u x:hunter2", "exec:k -p *** -u ***"),
        ("exec:python -u my/k.py --port 1", "exec:python -u my/k.py --port 1"),
        ("exec:k --password hunter2 --port 1", "exec:k --password *** --port 1"),
        ("exec:k --auth-token='hunter 2' x", "exec:k --auth-token=*** x"),
        ("exec:k -c hunter2 --dsn=hunter2 -v --port 1", "exec:k -c *** --dsn=*** -v --port 1"),
        ("exec:python -m k 'a b' --key-file x y", "exec:python -m k 'a b' --key-file *** y"),
        ("exec:k --fault facts-dedup --lag 20", "exec:k --fault facts-dedup --lag 20"),
        ("exec:k --fault=table --db-login anna", "exec:k --fault=table --db-login ***"),
        ("exec:k --fault hunter2 --lag 20481", "exec:k --fault *** --lag ***"),
        (
            "fedcheck run --kernel 'exec:k -x 1' --seed 7",
            "fedcheck run --kernel 'exec:k -x ***' --seed 7",
        ),
        ("not found: ghp_0123456789abcdefghijABCDEFGHIJ", "not found: ***"),
        ("key sk-proj-0123456789abcdefghij, task-list", "key ***, task-list"),
        ("Authorization: Bearer hunter2", "Authorization: Bearer ***"),
        ("mail me@host about http://host/a@b", "mail me@host about http://host/a@b"),
        ("fedcheck run --select I-CACHE-KEY-SAFETY", "fedcheck run --select I-CACHE-KEY-SAFETY"),
    ],
)
def test_secrets_are_masked_and_the_rest_stays(text: str, masked: str) -> None:
    """What looks like a secret is masked, once and for all; nothing else is touched."""
    assert masked == redact(text)
    assert masked == redact(masked)


def test_a_secret_in_an_argument_of_its_own_is_masked() -> None:
    """``--token VALUE`` is two arguments; the second one is the secret."""
    expected = ("run", "--token", "***", "--seed", "7")
    assert expected == redact_arguments(("run", "--token", "hunter2", "--seed", "7"))


def test_no_record_holds_a_secret_of_its_command_line(tmp_path: Path) -> None:
    """Reference, arguments, commands and stderr are masked before they reach the file."""
    secret = "http://user:hunter2@host/"
    example = msgspec.structs.replace(sample_counterexample("C-SAMPLE/fail"), command=secret)
    record = sample_record(
        [sample_clause(Verdict.FAIL, examples=[example])],
        examples=[example],
        incidents=[sample_incident(message=secret, stderr_tail=secret, command=secret)],
        reference=secret,
        arguments=("run", "--kernel", secret, "--token", "hunter2"),
    )
    path = tmp_path / "record.ndjson"
    write_record(path, record)
    data = path.read_bytes()
    assert b"http://***@host/" in data
    assert b"hunter2" not in data


def test_surroundings_hold_only_what_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Versions and the platform, and nothing of the environment."""
    monkeypatch.setenv("FEDCHECK_TEST_SECRET", "hunter2")
    found = current_surroundings()
    assert set(PACKAGES) == set(found.packages)
    assert msgspec.__version__ == found.packages["msgspec"]
    assert "hunter2" not in str(found)


def test_the_time_is_utc_as_the_record_wants_it() -> None:
    """The clock's format is the one that the schema demands."""
    now = utc_now()
    assert now == msgspec.convert(now, UtcTime)
