"""Whether arguments are those that were given."""

from __future__ import annotations

from ..vocabulary.json_values import Difference, DuplicateKey, differences, parse


def difference(given_json: str, got_json: str) -> Difference | None:
    """Return the first place where arguments differ; a field of the handler's own may be null."""
    try:
        got = parse(got_json)
    except (ValueError, DuplicateKey, RecursionError):
        return Difference((), "no JSON", given_json, got_json)
    for each in differences(parse(given_json), got):
        if each.kind != "key added" or each.got is not None or len(each.path) != 1:
            return each
    return None
