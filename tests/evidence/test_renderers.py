"""Which other versions excuse a report that is not the same again."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from fedcheck.reports.proof.bundle import Manifest, renderer_versions
from fedcheck.reports.proof.renderers import not_comparable, other_versions

HTML, TEXT, JUNIT = "reports/html.html", "reports/text.txt", "reports/junit.xml"


def manifest(**told: str) -> Manifest:
    """Return the manifest of a bundle that other versions may have made."""
    renderers = renderer_versions([HTML, TEXT]) | told
    return Manifest(format="fedcheck-bundle/1", run_id="run-1", files=(), renderers=renderers)


@pytest.mark.parametrize(
    ("path", "told", "expected"),
    [
        (HTML, {"jinja2": "3.0.1"}, {"jinja2": "3.0.1"}),
        (TEXT, {"rich": "12.0rc1"}, {"rich": "12.0rc1"}),
        (HTML, {"rich": "12.0"}, {}),
        (JUNIT, {"rich": "12.0", "jinja2": "3.0.1"}, {}),
        ("README.txt", {"rich": "12.0"}, {}),
        (HTML, {}, {}),
        (HTML, {"jinja2": "not installed"}, {}),
        (HTML, {"jinja2": "; rm -r ."}, {}),
    ],
)
def test_only_another_version_of_what_made_a_report_excuses_it(
    path: str, told: dict[str, str], expected: dict[str, str]
) -> None:
    """Neither the same version, nor one of another report's renderer, nor none."""
    assert expected == other_versions(path, manifest(**told))


def test_a_version_that_is_not_told_excuses_nothing() -> None:
    """A forger could leave it out."""
    silent = Manifest(format="fedcheck-bundle/1", run_id="run-1", files=())

    assert {} == other_versions(HTML, silent)


def test_the_message_says_what_to_install() -> None:
    """The versions that made the report, and those that are here."""
    told = not_comparable(HTML, {"jinja2": "3.0.1", "markupsafe": "2.0"})

    assert "reports/html.html could not be compared: other versions made it" in told
    assert f"here is jinja2 {version('jinja2')}, markupsafe {version('markupsafe')}" in told
    assert "`python -m pip install jinja2==3.0.1 markupsafe==2.0`" in told
