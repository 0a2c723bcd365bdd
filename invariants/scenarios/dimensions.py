"""Dimensions that several aspects share."""

from __future__ import annotations

from ..vocabulary.aspect import Dimension, Value
from ..vocabulary.scenario import APPS, HandlerKind

KINDS: tuple[HandlerKind, ...] = (
    "chat_function", "tool", "panel", "skeleton", "webhook", "schedule",
)  # fmt: skip
"""Every kind of handler."""

HANDLER: Dimension[HandlerKind] = Dimension(
    "handler",
    (
        Value("chat-function", "chat_function", "what every example of the pages uses"),
        Value("tool", "tool", "called without the chat's dispatcher, where checks may sit"),
        Value("panel", "panel", "rendered by another service, with a client of its own"),
        Value("skeleton", "skeleton", "a refresh writes past the checks of chat handlers"),
        Value("webhook", "webhook", "no session: checks may hang on one"),
        Value("schedule", "schedule", "runs in a worker, perhaps of an older build"),
    ),
)
"""The kind of handler that acts."""

APP: Dimension[str] = Dimension(
    "app",
    (
        Value(APPS[0], APPS[0], "the first extension"),
        Value(APPS[1], APPS[1], "settings of the first one that all get"),
        Value(APPS[2], APPS[2], "checks that were switched on for some"),
    ),
)
"""The extension whose handler acts."""
