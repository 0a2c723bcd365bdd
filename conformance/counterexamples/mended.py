"""Says of which scenarios a mended kernel can be judged: the reference kernel stands in for it.

A failure can be made so small that it still shows, but that nothing is left in which the promise
could be seen to be kept: whoever mends the kernel then never gets a *fixed* out of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

from ...fixtures.embedded import AGENT, REFERENCE
from ...invariants.vocabulary.scenario import Scenario
from ..adapters.reference import open_kernel
from ..driving.drive import FreshIds
from ..driving.session import Session


@contextmanager
def seen_kept(
    session: Session, scenario: Scenario, clause: str
) -> Generator[Callable[[Scenario], bool]]:
    """Yield what says whether a mended kernel would be seen to keep a clause in a scenario.

    The reference kernel answers, as if it claimed and declared what the kernel does. Where it is
    not seen to keep the clause in the scenario as it was found (the kernel declares other sizes,
    or a plug-in brings the clause), it cannot stand in, and every scenario will do.

    Args:
        session: the kernel, as it fails.
        scenario: the one in which it was found to fail.
        clause: id of the clause that it breaks.
    """
    description = session.description
    reference = AGENT if "agent" in description.capabilities else REFERENCE
    with open_kernel(reference) as adapter:
        mended = Session(adapter, description, session.clauses, FreshIds())

        def keeps(candidate: Scenario) -> bool:
            return bool(mended.kept(candidate, [clause]))

        yield keeps if keeps(scenario) else lambda _: True
