"""Made recordings: what is planted is found, one by one, however the files lie."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import pytest

from fedcheck.conformance.recordings.auditing import Asked, Audit
from fedcheck.conformance.recordings.workers import Processes

from .made import audited, generator, seen, told

_PLANTED = {
    "in a message of the system": "leak in a system message",
    "in a message of the assistant": "leak in an answer",
    "not JSON": "a Python repr",
    "cut": "a value that is cut",
    "number changed": "another value",
}
"""Kind of difference → what was planted."""

_JUDGING = ("C-AGENT-FIDELITY", "C-RECORDED-ISOLATION")


def _files(folder: Path, lines: list[str], files: int = 1) -> Path:
    folder.mkdir()
    for number in range(files):
        part = "\n".join(lines[number::files])
        (folder / f"spans-{number}.jsonl").write_text(f"{part}\n")
    return folder


def test_what_is_planted_is_found_one_by_one(tmp_path: Path) -> None:
    """Each breach in its turn, and no other; a result once more where a later turn shows it."""
    made = generator().made(26, plant_every=6)
    found = audited(_files(tmp_path / "spans", made.lines))
    own = {k: v for k, v in found.judged.tallies.items() if k.startswith(_JUDGING)}
    shown = {
        (_PLANTED[each.kind], each.conversation.partition(" ")[2], each.step)
        for tally in own.values()
        for some in tally.breaches.values()
        for each in some
    }
    later = {
        (kind, session, step + 1) for kind, session, step in made.planted if "leak" not in kind
    }
    counts = [n for tally in own.values() for n in tally.kinds.values()]

    assert 5 == len({kind for kind, *_ in made.planted})
    assert all(number <= 20 for number in counts), "more were planted than are kept"
    assert {*made.planted} == shown - (later - {*made.planted})


def test_a_leak_in_the_last_answer_is_found(tmp_path: Path) -> None:
    """No later request repeats it: the answer itself is looked through."""
    draw = random.Random(5)  # noqa: S311
    one, two = generator().Conversation(1, draw), generator().Conversation(2, draw)
    lines = [one.take(generator().START)]
    mail = one.given[0]["items"][0]["owner"]
    lines.append(two.take(generator().START + 10**9, "leak in an answer", mail))
    found = audited(_files(tmp_path / "spans", lines))
    tally = found.judged.tallies["C-RECORDED-ISOLATION/own-values-only"]

    assert [("session s2", 0, mail)] == [
        (x.conversation, x.step, x.got) for x in tally.breaches["in a message of the assistant"]
    ]


def test_a_word_and_a_small_number_may_stand_together_by_chance(tmp_path: Path) -> None:
    """An answer that says both is no leak of the title that another user's call gave."""
    draw = random.Random(5)  # noqa: S311
    one, two = generator().Conversation(1, draw), generator().Conversation(2, draw)
    lines = [one.take(generator().START)]
    title = one.given[0]["items"][0]["title"]
    lines = [lines[0].replace(title, "draft 18")]
    lines.append(two.take(generator().START + 10**9, "leak in an answer", "draft, 18"))
    found = audited(_files(tmp_path / "spans", lines))

    assert "draft 18" in lines[0]
    assert 0 == found.judged.tallies["C-RECORDED-ISOLATION/own-values-only"].turns_broken


def test_two_systems_do_not_share_sessions(tmp_path: Path) -> None:
    """The same ids of session and user in two services are two conversations, and judged apart."""
    made = generator().made(3, plant_every=0, turns=(3, 3)).lines
    other = generator().made(3, plant_every=0, turns=(3, 3), seed=8).lines
    named = [_of_service(x, "one") for x in made]
    named += [_of_service(x.replace('"traceId": "0', '"traceId": "f'), "two") for x in other]
    found = audited(_files(tmp_path / "spans", named))

    assert (6, 18) == (found.judged.conversations, found.judged.turns)
    assert {(18, 0, 0)} == {seen(found)[name] for name in ("own-values-only", "values-kept")}


def test_services_of_one_trace_are_one_system(tmp_path: Path) -> None:
    """A tool that records for itself tells the result of the agent's call."""
    made = [json.loads(x) for x in generator().made(2, plant_every=0, turns=(3, 3)).lines]
    for document in made:
        [agent] = document["resourceSpans"]
        spans = agent["scopeSpans"][0]["spans"]
        agent["resource"]["attributes"] = [generator().attribute("service.name", "agent")]
        tools = {"resource": {"attributes": [generator().attribute("service.name", "tools")]}}
        document["resourceSpans"].append({**tools, "scopeSpans": [{"spans": [spans.pop(2)]}]})
    found = audited(_files(tmp_path / "spans", list(map(json.dumps, made))))

    assert 2 == found.judged.conversations
    assert {(6, 0, 0)} == {seen(found)[name] for name in ("own-values-only", "values-kept")}


def _of_service(line: str, name: str) -> str:
    told = json.dumps([generator().attribute("service.name", name)])
    return line.replace('"resource": {"attributes": []}', f'"resource": {{"attributes": {told}}}')


def test_clauses_on_agents_blame_none_but_what_was_planted(tmp_path: Path) -> None:
    """What is changed or lost in a recording breaks promises of agents, too, and only there."""
    made = generator().made(40, plant_every=6)
    found = audited(_files(tmp_path / "spans", made.lines))
    blamed = {
        each.conversation.partition(" ")[2]
        for clause, tally in found.judged.tallies.items()
        if clause.startswith("C-AGENT")
        for some in tally.breaches.values()
        for each in some
    }

    assert blamed
    assert set() == blamed - {conversation for _, conversation, _ in made.planted}


def test_a_sound_recording_is_not_blamed(tmp_path: Path) -> None:
    """Common words, states and texts of one user's own do not blame anybody."""
    made = generator().made(40, plant_every=0)
    found = audited(_files(tmp_path / "spans", made.lines))

    assert {0} == {broken for _, broken, _ in seen(found).values()}
    assert {0} == {open_ones for *_, open_ones in seen(found).values()}


def test_order_and_files_do_not_matter(tmp_path: Path) -> None:
    """The same spans in another order, in several files, some twice: the same is judged."""
    made = generator().made(20, plant_every=8)
    shuffled = [*made.lines, *made.lines[::7]]
    random.Random(3).shuffle(shuffled)  # noqa: S311
    one = audited(_files(tmp_path / "one", made.lines))
    other = audited(_files(tmp_path / "other", shuffled, files=3))

    assert seen(one) == seen(other)
    assert [t.kinds for t in one.judged.tallies.values()] == [
        t.kinds for t in other.judged.tallies.values()
    ]
    assert {"a span that was recorded before"} == set(other.judged.remarks.counts)


@pytest.mark.parametrize("partitions", [1, 3, 16])
def test_partitions_do_not_matter(tmp_path: Path, partitions: int) -> None:
    """What is counted and what is kept does not hang on how the work was divided."""
    folder = _files(tmp_path / "spans", generator().made(15, plant_every=5).lines, files=2)
    with Audit(Asked((str(folder),), partitions=partitions)) as audit:
        found = audit.run()

    assert told(audited(folder)) == told(found)


def test_processes_do_not_matter(tmp_path: Path) -> None:
    """Two processes find what one finds."""
    folder = _files(tmp_path / "spans", generator().made(10, plant_every=5).lines, files=2)
    workers = Processes(2)
    try:
        with Audit(Asked((str(folder),)), workers) as audit:
            found = audit.run()
    finally:
        workers.close()

    assert told(audited(folder)) == told(found)


def test_missing_spans_blame_nobody(tmp_path: Path) -> None:
    """With every third turn sampled away there is less to judge, and no breach."""
    made = generator().made(30, plant_every=0)
    found = audited(_files(tmp_path / "spans", [x for n, x in enumerate(made.lines) if n % 3]))

    assert {0} == {broken for _, broken, _ in seen(found).values()}
    assert 0 < seen(found)["own-values-only"][2]
    assert 0 < seen(found)["values-kept"][0]


def test_compression_is_seen_by_its_first_bytes(tmp_path: Path) -> None:
    """A name says nothing; zstd needs its package."""
    zstandard = pytest.importorskip("zstandard")
    data = "\n".join(generator().made(3, plant_every=0).lines).encode()
    (tmp_path / "plain").write_bytes(data)
    (tmp_path / "one.json").write_bytes(gzip.compress(data))
    (tmp_path / "two.json").write_bytes(zstandard.ZstdCompressor().compress(data))
    plain = seen(audited(tmp_path / "plain"))

    assert plain == seen(audited(tmp_path / "one.json"))
    assert plain == seen(audited(tmp_path / "two.json"))
