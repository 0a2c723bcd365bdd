"""An order-preserving match of FACTS lines to calls that agrees as much as possible."""

from __future__ import annotations

from dataclasses import dataclass

from .given import GivenCall, ShownFact


@dataclass(eq=False)
class Match:
    """Which line shows which call.

    Attributes:
        pairs: lines matched to calls, in order.
        displaced: lines that certainly show a call, but out of order.
        extra: lines that show no call.
        missing: calls that no line shows.
    """

    pairs: list[tuple[ShownFact, GivenCall]]
    displaced: list[tuple[ShownFact, GivenCall]]
    extra: list[ShownFact]
    missing: list[GivenCall]


def align(lines: list[ShownFact], calls: list[GivenCall], *, newest_first: bool = False) -> Match:
    """Match lines to calls; certain matches count more than any number of doubtful ones.

    Args:
        lines: the lines of a prompt.
        calls: what they may show, in the order in which it is expected.
        newest_first: whether of each turn that is the newest call first.
    """
    if len(lines) == len(calls) and all(c.shown_by(x) for x, c in zip(lines, calls, strict=True)):
        return Match(list(zip(lines, calls, strict=True)), [], [], [])
    match = _best(lines, calls, newest_first=newest_first)
    displaced = _displaced(match, lines, calls)
    if displaced:
        moved_lines = [line for line, _ in displaced]
        moved_calls = [call for _, call in displaced]
        match = _best(
            [line for line in lines if all(line is not moved for moved in moved_lines)],
            [call for call in calls if all(call is not moved for moved in moved_calls)],
            newest_first=newest_first,
        )
        match.displaced = displaced
    return match


def _displaced(
    match: Match, lines: list[ShownFact], calls: list[GivenCall]
) -> list[tuple[ShownFact, GivenCall]]:
    certain = [(line, call) for line, call in match.pairs if call.shown_by(line)]
    free_lines = [x for x in lines if all(x is not line for line, _ in certain)]
    free_calls = [x for x in calls if all(x is not call for _, call in certain)]
    found: list[tuple[ShownFact, GivenCall]] = []
    for line in free_lines:
        call = next((call for call in free_calls if call.shown_by(line)), None)
        if call is not None:
            free_calls = [x for x in free_calls if x is not call]
            found.append((line, call))
    return found


def _best(lines: list[ShownFact], calls: list[GivenCall], *, newest_first: bool) -> Match:
    """Match in order with the highest total weight; of equal matches, take the latest calls.

    A line may fit several calls with equal data. Then it shows one that must be there rather
    than one that may have been dropped, and a newer one rather than an older one.
    """
    step = 1 if newest_first else -1
    lines, calls = lines[::step], calls[::step]
    weight = [[_weight(line, call) for call in calls] for line in lines]
    score = [[0] * (len(calls) + 1) for _ in range(len(lines) + 1)]
    for i in range(len(lines) - 1, -1, -1):
        for j in range(len(calls) - 1, -1, -1):
            paired = score[i + 1][j + 1] + weight[i][j] if weight[i][j] else -1
            score[i][j] = max(paired, score[i + 1][j], score[i][j + 1])
    match = Match([], [], [], [])
    i = j = 0
    while i < len(lines) and j < len(calls):
        if weight[i][j] and score[i][j] == score[i + 1][j + 1] + weight[i][j]:
            match.pairs.append((lines[i], calls[j]))
            i, j = i + 1, j + 1
        elif score[i][j] == score[i][j + 1]:
            match.missing.append(calls[j])
            j += 1
        else:
            match.extra.append(lines[i])
            i += 1
    match.extra += lines[i:]
    match.missing += calls[j:]
    return Match(match.pairs[::step], [], match.extra[::step], match.missing[::step])


def _weight(line: ShownFact, call: GivenCall) -> int:
    """The agreement, and a little more for a call whose turn is too small to be cut.

    A line that holds nothing but a marker was cut, so that it is none of those.
    """
    agreement = call.agreement(line)
    if not agreement:
        return 0
    payload = call.payload_of(line)
    is_whole = payload.readable or payload.shown > 0
    return 2 * agreement + (call.turn.small if is_whole else not call.turn.small)
