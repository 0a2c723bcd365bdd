"""A token is masked in whatever encoding a server repeats it."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest

from fedcheck.conformance.adapters.bearer import Token

TOKENS = ["s3cret-T0ken/of.ours+1==", "abcdefgh", "~~~~~~~~~", "aB3/+._-~xYz01"]

ENCODINGS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "without padding": lambda x: x.rstrip("="),
    "in capitals": str.upper,
    "backwards": lambda x: x[::-1],
    "percent": lambda x: quote(x, safe=""),
    "percent, small": lambda x: quote(x, safe="").lower(),
    "a form": lambda x: quote_plus(f"a b={x}"),
    "all percent": lambda x: "".join(f"%{ord(c):02X}" for c in x),
    "percent twice": lambda x: quote(quote(x, safe=""), safe=""),
    "JSON": json.dumps,
    "JSON with slashes": lambda x: json.dumps(x).replace("/", r"\/"),
    "JSON by numbers": lambda x: "".join(f"\\u{ord(c):04x}" for c in x),
    "JSON in JSON": lambda x: json.dumps(json.dumps({"a": x}).replace("/", r"\/")),
    "JSON in JSON by numbers": lambda x: "".join(rf"\\u{ord(c):04X}" for c in x),
    "a mixture": lambda x: f"\\u{ord(x[0]):04x}%{ord(x[1]):02x}{x[2:]}",
    "JavaScript": lambda x: "".join(f"\\x{ord(c):02x}" for c in x),
    "HTML": html.escape,
    "HTML by numbers": lambda x: "".join(f"&#{ord(c)};" for c in x),
    "HTML by digits": lambda x: "".join(f"&#x{ord(c):X};" for c in x),
    "hexadecimal": lambda x: x.encode().hex(),
    "hexadecimal, large": lambda x: x.encode().hex().upper(),
    "base64": lambda x: base64.b64encode(x.encode()).decode(),
    "base64 for URLs": lambda x: base64.urlsafe_b64encode(x.encode()).decode().rstrip("="),
    "base64 in JSON": lambda x: base64.b64encode(x.encode()).decode().replace("/", r"\/"),
    "base64 in a URL": lambda x: quote(base64.b64encode(x.encode()).decode(), safe=""),
    "Basic": lambda x: f"Basic {base64.b64encode(f'user:{x}'.encode()).decode()}",
    "Basic, reversed": lambda x: f"Basic {base64.b64encode(f'{x}:user'.encode()).decode()}",
    "Basic, one letter": lambda x: f"Basic {base64.b64encode(f'u:{x}'.encode()).decode()}",
    "Basic, nobody": lambda x: f"Basic {base64.b64encode(f':{x}'.encode()).decode()}",
}


def leaked(text: str, token: str) -> bool:
    """Return whether a part of a spelling is left that tells most of the token."""
    core = token.rstrip("=")
    half = max(6, len(core) // 2)
    forms = [core, core[::-1], core.encode().hex()]
    forms += [base64.b64encode(b"x" * n + core.encode()).decode()[4:-4] for n in range(3)]
    return any(form[:half].lower() in text.lower() for form in forms)


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_each_encoding_is_masked(encoding: str, token: str) -> None:
    """What stands before and behind it stays."""
    text = f"<before> {ENCODINGS[encoding](token)} <behind> {ENCODINGS[encoding](token)}."
    for masked in (Token(token).masked(text.encode()).decode(), Token(token).masked_text(text)):
        assert (masked[:9], masked[-1:], 2) == ("<before> ", ".", masked.count("***")), masked
        assert "> <behind>"[1:] in masked
        assert not leaked(masked, token)


@pytest.mark.parametrize("encoding", ["JSON", "JSON by numbers", "base64 in JSON", "percent"])
def test_what_was_json_stays_json(encoding: str) -> None:
    """An answer can be judged although it repeats the token."""
    told = ENCODINGS[encoding](TOKENS[0]).strip('"')
    line = rf'{{"prompt":"я\n{told}\n\"{told}\" \\{told}","n":[1]}}'
    masked = json.loads(Token(TOKENS[0]).masked(line.encode()))
    assert {
        "prompt": 'я\n***\n"***" ' + ("\\***", "***")[encoding == "JSON by numbers"],
        "n": [1],
    } == masked


@pytest.mark.parametrize(
    "text", ["", "s3cret", "%", "\\", "&#", "%zz \\u00zz", "я" * 50, "AAAA" * 99]
)
def test_other_text_is_left_alone(text: str) -> None:
    """Byte for byte."""
    assert text == Token(TOKENS[0]).masked_text(text)
    assert text.encode() == Token(TOKENS[0]).masked(text.encode())
    assert text == Token("").masked_text(text)
