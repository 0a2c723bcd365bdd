"""Secrets never reach a record: what may be one becomes ``***``.

A run is reached by a kernel reference and a command line, and both may carry a password or
a token: by a name that says so, by a shape that tokens have, or by its position behind an option
of the kernel's command, unless the option is known to be harmless or the value is plain: words
or a short number behind a long option whose name speaks of nothing private. Everything here is
idempotent, so that a record may be read and written again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

MASK = "***"

_WORD = r"(?:token|secret|password|passwd|api[_-]?key|credential)"
_NAME = rf"{_WORD}[\w-]{{0,40}}"
_VALUE = r"""(?:'[^']*'|"[^"]*"|[^\s&"']+)"""
_FIELD = r"""(?:'[^']*'|"[^"]*"|[^\s&"',}\]]+)"""
_RULES = (
    (re.compile(r"(?<=://)[^/\s@]+@"), f"{MASK}@"),
    (re.compile(r"(?i)(\bauthorization\s*:\s*)(\w+\s+)?[^\s\"',]+"), rf"\1\2{MASK}"),
    (re.compile(r"(?i)(\bbearer\s+)[\w.~+/=*-]+"), rf"\1{MASK}"),
    (re.compile(rf"(?i)({_NAME}=){_VALUE}"), rf"\1{MASK}"),
    (re.compile(rf"(?i)({_NAME}[\"']?\s?:\s?){_FIELD}"), rf"\1{MASK}"),
    (re.compile(rf"(?i)(--[\w-]{{0,40}}{_NAME}\s+){_VALUE}"), rf"\1{MASK}"),
)
_SHAPES = re.compile(
    r"\b(?:sk-[\w-]{16,}|gh[opsur]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}"
    r"|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|hf_\w{20,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*)"
)
"""Tokens of well-known services, and signed web tokens."""

_OPTION = re.compile(rf"(?<![\w-])(--?[A-Za-z][\w-]*)(=|\s+)(?!-)({_VALUE})")
_VARIABLE = re.compile(rf"(?<![\w/-])([A-Z_][A-Z0-9_]*=)({_VALUE})")
"""A variable of the environment that a command is given."""

_ATTACHED = re.compile(r"(?<![\w-])(-[A-Za-z])(?![a-z-]+(?:[=\s'\"]|$)|\*)(?:'[^']*'|[^\s=*'\"]+)")
"""A value in one word with a short option, as in ``-phunter2``; ``-jar`` is a name."""

_PROGRAM = re.compile(r"[\w./\\-]+\.(?:py|js|mjs|cjs|rb|pl|jar)")
"""Behind an option without a value, as in ``python -u kernel.py``."""

_HARMLESS = frozenset(
    [
        "-m",
        "-v",
        "-q",
        "-n",
        "--port",
        "--host",
        "--timeout",
        "--log-level",
        "--verbose",
        "--debug",
        "--mode",
        "--workers",
        "--kernel",
        "--select",
        "--ignore",
        "--must-claim",
        "--require",
        "--profile",
        "--examples",
        "--time",
        "--seed",
        "--record",
        "--report",
        "--junit",
        "--counterexamples",
        "--scenarios",
        "--memory-limit",
        "--config",
        "--clause",
        "--runs",
    ]
)
"""Options of kernels' commands, and our own that may stand behind one, that carry no secret."""

_PLAIN = re.compile(r"[a-z]{1,14}(?:[-_][a-z]{1,14}){0,7}|[0-9]{1,4}")
"""Words and numbers that kernels' options choose between, as in ``--fault facts-dedup``."""

_PRIVATE = re.compile(
    r"(?i)pass|pw|pin|phrase|word|secret|token|key|cred|auth|user|login|account|cookie|session"
    r"|dsn|sig|salt|hash|code|cert|licen[cs]e|jwt|otp|private"
)
"""Names of options behind which even a word may be a secret."""

_SUSPECT = re.compile(
    rf"(?i)://|authorization|bearer|{_WORD}|exec:|sk-|gh\w_|github_pat|glpat-|xox\w-|AKIA|AIza|hf_|eyJ"
)
"""Each rule needs one of these: most texts of a large record have none."""

_SECRET_OPTION = re.compile(rf"(?i)--?[\w-]{{0,40}}{_NAME}")


def redact(text: str) -> str:
    """Return ``text`` with user names and passwords in URLs, tokens and the like masked."""
    if _SUSPECT.search(text) is None:
        return text
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    text = _SHAPES.sub(MASK, text)
    before, behind, command = text.partition("exec:")
    command = _ATTACHED.sub(rf"\1{MASK}", command)
    command = _VARIABLE.sub(rf"\1{MASK}", _OPTION.sub(_masked_option, command))
    return before + behind + command


def _masked_option(found: re.Match[str]) -> str:
    name, between, value = found.groups()
    is_plain = name.startswith("--") and _PLAIN.fullmatch(value) and not _PRIVATE.search(name)
    shown = name in _HARMLESS or _PROGRAM.fullmatch(value) or is_plain
    return f"{name}{between}{value if shown else MASK}"


def redact_arguments(arguments: Iterable[str]) -> tuple[str, ...]:
    """Return command-line arguments masked, also ``--token VALUE`` in two arguments."""
    masked: list[str] = []
    secret_follows = False
    for argument in arguments:
        masked.append(MASK if secret_follows else redact(argument))
        secret_follows = _SECRET_OPTION.fullmatch(argument) is not None
    return tuple(masked)
