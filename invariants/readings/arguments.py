"""Whether arguments are those that were given."""

from __future__ import annotations

from ..vocabulary.json_values import Difference, differences, parse


def difference(given_json: str, got_json: str) -> Difference | None:
    """Return the first place where arguments differ; a field of the handler's own may be null."""
    try:
        given, got = parse(given_json), parse(got_json)
    except (ValueError, RecursionError):
        same = given_json == got_json
        return None if same else Difference((), "no JSON", given_json, got_json)
    for each in differences(given, got):
        if each.kind != "key added" or each.got is not None or len(each.path) != 1:
            return each
    return None
