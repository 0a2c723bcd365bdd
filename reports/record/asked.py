"""What a run was asked to do: by its command line, by its settings, by what follows from them.

A header says what was left out and why, what must be claimed, how much was explored. Its settings
say it too, and the command line says where they came from. Whoever takes ``--ignore`` out of one
of them leaves a contradiction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...invariants.catalog import matching
from ...invariants.requirements import IGNORED, RequirementList, is_file_name
from ...invariants.vocabulary.errors import UsageError
from ...invariants.vocabulary.json_values import is_list, is_object
from .model import Header
from .redact import redact

NOT_SELECTED = "not selected"
"""The reason of a clause that ``--select`` did not name."""

_WITHOUT_VALUE = frozenset(
    [
        "in-process",
        "fail-fast",
        "short",
        "quiet",
        "allow-broken-plugins",
        "plugins",
        "no-plugins",
        "waivers",
        "no-waivers",
        "no-config",
    ]
)

_LETTERS = {"n": "workers", "x": "fail_fast", "q": "quiet"}
"""Options of one letter; only the first one has a value, so it ends a word of several."""

_COMPARED = (
    "kernel",
    "select",
    "ignore",
    "must_claim",
    "require",
    "profile",
    "organisation",
    "person",
)
_NUMBERS = ("examples", "seed", "timeout")
_ALWAYS = frozenset((*_COMPARED, *_NUMBERS, "in_process", "waivers"))
"""Settings that every record has."""


def left_out(
    ids: tuple[str, ...], select: tuple[str, ...], ignore: tuple[str, ...]
) -> dict[str, str]:
    """Return the clauses that a run leaves out, each with the reason.

    Args:
        ids: of all clauses.
        select: ids or globs to judge; empty means all.
        ignore: ids or globs to leave out.

    Raises:
        UsageError: one of them names no clause.
    """
    chosen = matching(select, ids) if select else set(ids)
    ignored = matching(ignore, ids) if ignore else set[str]()
    reasons = {name: NOT_SELECTED for name in ids if name not in chosen}
    return reasons | {name: IGNORED for name in ids if name in ignored}


def demanded_claims(given: tuple[str, ...], requirements: RequirementList) -> tuple[str, ...]:
    """Return the capabilities that a kernel has to claim, each once.

    Args:
        given: as the options name them, several in one text with commas between.
        requirements: the requirement set, which may name more.
    """
    named = [name.strip() for text in given for name in text.split(",")]
    return tuple(dict.fromkeys((*filter(None, named), *requirements.must_claim)))


def waivers_asked(header: Header) -> list[str] | None:
    """Return the ids of the waivers that a run has to judge; ``None`` if its settings are none.

    A waiver of a clause that is left out is left alone.
    """
    told = header.configuration["waivers"].value if "waivers" in header.configuration else None
    if not is_list(told) or not all(is_object(entry) for entry in told):
        return None
    return [str(x.get("id")) for x in told if x.get("clause") not in header.excluded]


def asked_differences(
    header: Header, requirements: RequirementList, ids: tuple[str, ...]
) -> Iterator[str]:
    """Yield what a header says otherwise than its settings, one sentence each.

    Args:
        header: of the record.
        requirements: the requirement set in it.
        ids: of all clauses that there are.
    """
    settings = {name: setting.value for name, setting in header.configuration.items()}
    if missing := sorted(_ALWAYS - settings.keys()):
        yield f"its settings do not say {missing[0]}, so that nobody knows what was asked"
        return
    told = {
        "kernel": header.reference,
        "profile": header.profile,
        "examples": header.examples,
        "seed": header.seed,
        "timeout": header.timeout,
        "organisation": header.origin.organisation,
        "person": header.origin.person,
    }
    for name, value in told.items():
        if settings[name] != value:
            yield f"{name} is {value!r}, the settings say {settings[name]!r}"
    if not is_file_name(str(settings["require"])) and settings["require"] != requirements.name:
        yield f"the settings demand the requirement set {settings['require']!r}, it names another"
    transport = _transport(header.reference, in_process=settings["in_process"])
    if header.transport != transport:
        yield f"the kernel was reached by {header.transport}, its reference makes it {transport}"
    yield from _selection(header, settings, ids)
    if header.shard != (settings.get("shard") or ""):
        yield f"shard is {header.shard!r}, the settings say {settings.get('shard')!r}"
    if header.must_claim != demanded_claims(_texts(settings["must_claim"]), requirements):
        yield "must_claim is not what the settings and the requirement set demand"
    yield from _words(header)


def _transport(reference: str, *, in_process: bool) -> str:
    """Return how a kernel is reached, by its reference."""
    if reference in ("reference", "agent-reference") or reference.startswith(("mutant:", "style:")):
        return "embedded"
    if reference.startswith(("exec:", "agent:exec:")):
        return "exec"
    if reference.startswith(("http://", "https://")):
        return "http"
    return "in-process" if in_process else "hosted"


def _selection(header: Header, settings: Mapping[str, Any], ids: tuple[str, ...]) -> Iterator[str]:
    try:
        reasons = left_out(ids, _texts(settings["select"]), _texts(settings["ignore"]))
    except UsageError as error:
        yield f"its settings select or ignore what is not there: {error}"
        return
    if header.excluded == reasons:
        return
    names = sorted({*header.excluded, *reasons})
    name = next(x for x in names if header.excluded.get(x) != reasons.get(x))
    yield (
        f"{name} is {header.excluded.get(name, 'judged')}, its settings make it "
        f"{reasons.get(name, 'judged')}"
    )


def _words(header: Header) -> Iterator[str]:
    """Yield where the command line says otherwise than the settings."""
    by_flag = {name for name, each in header.configuration.items() if each.source == "flag"}
    given = _given(header.arguments[1:]) if header.arguments[:1] == ("run",) else {}
    if (by_flag or header.arguments) and header.arguments[:1] != ("run",):
        yield "its settings come from a command line that is not there"
        return
    for name in sorted(by_flag ^ (given.keys() & header.configuration.keys())):
        word = "without" if name in by_flag else "with"
        source = header.configuration[name].source
        yield f"the command line is {word} {name}, the settings have it from {source!r}"
    for name in sorted(by_flag & given.keys()):
        value = header.configuration[name].value
        if not _same(name, given[name], value):
            yield f"{name} is {value!r} in the settings, the command line says {given[name]}"


def _same(name: str, words: list[str], value: Any) -> bool:
    if name in _NUMBERS:
        return words[-1:] == [str(value)] or _number(words[-1]) == value
    if name not in _COMPARED:
        return True
    return [*map(redact, words)] == list(_texts(value)) or [redact(words[-1])] == [value]


def _number(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None


def _given(arguments: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the values of each option of a command line, by the name of its setting."""
    found: dict[str, list[str]] = {}
    words = iter(arguments)
    for word in words:
        if word.startswith("--"):
            option, sign, value = word[2:].partition("=")
        elif word.startswith("-") and word[1:2] in _LETTERS:
            flags, _, value = word[1:].partition("n")
            for letter in flags:
                found.setdefault(_LETTERS.get(letter, letter), []).append("")
            if "n" not in word:
                continue
            option, sign = "workers", value
        else:
            continue
        if not sign and option not in _WITHOUT_VALUE:
            value = next(words, "")
        found.setdefault(option.removeprefix("no-").replace("-", "_"), []).append(value)
    return found


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(map(str, value)) if is_list(value) else ()
