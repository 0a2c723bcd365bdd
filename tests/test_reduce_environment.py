"""What is set up before the first step is reduced as well."""

from __future__ import annotations

from fedcheck.conformance.counterexamples.reduce import reduce
from fedcheck.invariants.vocabulary.scenario import (
    Call,
    Environment,
    Extension,
    Probe,
    Scenario,
    Section,
    SkeletonRefresh,
    Turn,
)

LARGE = '{"total":3,"rows":[{"a":1},{"b":[2,3]}],"note":"needle in a haystack"}'


def scenario(**environment: object) -> Scenario:
    """A refresh of a section, and a turn."""
    steps = (SkeletonRefresh(), Turn(message="hi"))
    return Scenario(id="s", steps=steps, environment=Environment(**environment))  # type: ignore[arg-type]


def test_what_does_not_matter_becomes_standard() -> None:
    """A production trace brings settings that have nothing to do with the bug."""
    odd = Extension(app="alpha", sections=(Section(returns_json=(LARGE, LARGE)),), panel_json=LARGE)
    given = scenario(extensions=(odd, Extension(app="beta")), flags={"A": "1", "B": "2"})

    assert Environment(extensions=(Extension(app="alpha"), Extension(app="beta"))) == (
        reduce(given, lambda _: True).environment
    )


def test_what_is_standard_stays_beside_what_matters() -> None:
    """A section that nobody changed is no noise to be removed from the report."""
    odd = Extension(app="alpha", panel_json='"needle"')
    small = reduce(
        scenario(extensions=(odd,)), lambda x: "needle" in x.environment.extensions[0].panel_json
    )

    assert (odd,) == small.environment.extensions


def test_arguments_and_panels_that_do_not_matter_go() -> None:
    """A probe is called without them, a call refreshes nothing."""
    probe = Probe(
        handler="tool", op="call", path="skeleton.get", args_json='["overview", {"a": 1}]'
    )
    turn = Turn(message="hi", calls=(Call(refresh_panels=("board", "board")),))
    small = reduce(
        Scenario(id="s", steps=(probe, turn)),
        lambda x: len(x.steps) == 2 and bool(getattr(x.steps[1], "calls", ())),
    )

    assert "[]" == small.steps[0].args_json  # type: ignore[union-attr]
    assert () == small.steps[1].calls[0].refresh_panels  # type: ignore[union-attr]


def test_what_matters_is_kept() -> None:
    """The flag and the word that the failure needs, and little else."""
    sections = (Section(name="x", returns_json=("{}",)), Section(returns_json=("{}", LARGE)))
    odd = Extension(app="alpha", sections=sections)

    def fails(candidate: Scenario) -> bool:
        environment = candidate.environment
        texts = [
            text
            for extension in environment.extensions
            for section in extension.sections
            for text in section.returns_json
        ]
        return "B" in environment.flags and any("needle" in text for text in texts)

    small = reduce(scenario(extensions=(odd,), flags={"A": "1", "B": "2"}), fails).environment
    (extension,) = small.extensions
    (section,) = extension.sections

    assert {"B": "2"} == small.flags
    assert ('{"note": "needle"}',) == section.returns_json


def test_the_standard_environment_costs_no_run() -> None:
    """There is nothing simpler than it."""
    asked: list[Scenario] = []
    reduce(scenario(), lambda candidate: asked.append(candidate) or False)

    assert asked
    assert all(Environment() == candidate.environment for candidate in asked)
