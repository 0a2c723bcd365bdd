"""Selects the rules of a file by its text, before it is parsed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..files.plain_text import has_code, holds, plain_text, whole_words
from ..files.source import SourceFile
from ..inference.project import Project
from ..rule import COMPUTED_NAME, Rule

_CALLED = re.compile(rb"attr(?<=\bgetattr|\bhasattr|\bsetattr|\bdelattr)\b")
"""A literal start is found ten times as fast as a word of which only the end is known."""
_CALLED_PLAINLY = re.compile(
    rb"attr(?<=\bgetattr|\bhasattr|\bsetattr|\bdelattr)"
    rb"""\(\s*[\w.\[\]]+\s*,\s*(?:"([A-Za-z_]\w*)"|'([A-Za-z_]\w*)')\s*[,)]"""
)
_BETWEEN = b" \t\r\n\f\v\\"
_QUOTES = b"\"'"


class Screening:
    """Selects the rules for the files of one extension.

    Args:
        project: the extension.
        rules: those that run.
        exhaustive: whether each rule looks at each file, whatever its text.
    """

    def __init__(self, project: Project, rules: Iterable[Rule], *, exhaustive: bool) -> None:
        self._sources = project.sources
        self._rules = [rule for rule in rules if rule.check]
        self._words = {
            rule.code: whole_words(rule.attributes) for rule in self._rules if rule.attributes
        }
        self._exhaustive = exhaustive
        self._computing: dict[SourceFile, bool] = {}
        self._given_away: dict[tuple[str, bool], bool] = {}
        self._led_to: dict[str, bool] = {}

    def rules_for(self, source: SourceFile) -> list[Rule]:
        """Return the rules that may have a finding in a file."""
        if self._exhaustive or not self._rules or b"\0" in source.data:
            return self._rules  # a text in UTF-16 shows no trigger, and parsing it tells why
        if not has_code(source):
            return []
        text = plain_text(source)
        known: dict[str, bool] = {}
        return [
            rule
            for rule in self._rules
            if self._is_triggered(rule, source, known)
            and (not rule.attributes or self._names(rule, source))
            and _passes(rule, text)
        ]

    def _names(self, rule: Rule, source: SourceFile) -> bool:
        return bool(self._words[rule.code].search(plain_text(source))) or self._computes(source)

    def _is_triggered(self, rule: Rule, source: SourceFile, known: dict[str, bool]) -> bool:
        if not rule.triggers:
            return True
        for trigger in rule.triggers:
            found = known.get(trigger)
            if found is None:
                found = known[trigger] = self._holds(source, trigger)
            if found:
                return True
        if rule.named_here:
            return False
        if rule.code not in self._led_to:
            self._led_to[rule.code] = self._is_led_to(rule)
        return self._led_to[rule.code]

    def _is_led_to(self, rule: Rule) -> bool:
        """Tell whether a rule's objects may be used in files without its triggers."""
        by_attribute = COMPUTED_NAME in rule.triggers
        names = (name for name in rule.triggers if name != COMPUTED_NAME)
        return any(self._is_given_away(name, by_attribute=by_attribute) for name in names)

    def _holds(self, source: SourceFile, trigger: str) -> bool:
        if trigger == COMPUTED_NAME:
            return self._computes(source)
        return holds(source, trigger)

    def _computes(self, source: SourceFile) -> bool:
        """Tell whether a file calls getattr and the like with a computed name."""
        if source not in self._computing:
            text = plain_text(source)
            self._computing[source] = b"attr" in text and len(_CALLED.findall(text)) != len(
                _CALLED_PLAINLY.findall(text)
            )
        return self._computing[source]

    def _is_given_away(self, name: str, *, by_attribute: bool) -> bool:
        """Tell whether a file passes on the object of an attribute, to be used otherwise.

        ``load(ctx.cache)`` in one file leads to a use in another that does not name the cache, and
        so does ``from time import sleep as pause``.

        Args:
            name: of an attribute or keyword.
            by_attribute: whether a quoted name leads to nothing but by getattr and the like.
        """
        key = (name, by_attribute)
        if key not in self._given_away:
            self._given_away[key] = self._gives_away(name, by_attribute=by_attribute)
        return self._given_away[key]

    def _gives_away(self, name: str, *, by_attribute: bool) -> bool:
        texts = [plain_text(it) for it in self._sources.values()]
        texts = [text for text in texts if name.encode() in text]
        if not texts:
            return False
        word = re.escape(name.encode())
        use = re.compile(word + rb"""(?:(?=["'])|\b(?![ \t]*[.(\w]))""")
        renamed = re.compile(word + rb"\s+as\s")
        if any(_stands_behind(b".", text, use) or renamed.search(text) for text in texts):
            return True
        if by_attribute and not self._asks_for(name.encode(), texts):
            return False
        return any(_stands_behind(_QUOTES, text, use) for text in texts)

    def _asks_for(self, name: bytes, texts: list[bytes]) -> bool:
        if any(map(self._computes, self._sources.values())):
            return True
        return any(name in names for text in texts for names in _CALLED_PLAINLY.findall(text))


def _passes(rule: Rule, text: bytes) -> bool:
    """Return the result of a rule's own screen; true if it raises, the rule reports it."""
    if rule.screen is None:
        return True
    try:
        return rule.screen(text)
    except Exception:  # noqa: BLE001 - a plug-in's screen may raise anything
        return True


def _stands_behind(before: bytes, text: bytes, use: re.Pattern[bytes]) -> bool:
    """Tell whether a name stands after a dot or a quote and is not used at once."""
    for match in use.finditer(text):
        start = match.start()
        while start and text[start - 1] in _BETWEEN:
            start -= 1
        if start and text[start - 1] in before:
            return True
    return False
