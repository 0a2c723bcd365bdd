"""Who runs it: the CI job as its system tells, or else the user."""

from __future__ import annotations

import getpass
import os
from collections.abc import Mapping
from typing import NamedTuple

from ...reports.record.model import Origin
from ...reports.record.redact import redact


class _System(NamedTuple):
    """The environment variables of one CI system; nothing else of the environment is read."""

    name: str
    sign: str
    run_url: str
    commit: str
    workflow: str


_SYSTEMS = (
    _System(
        "GitHub Actions",
        sign="GITHUB_ACTIONS",
        run_url="{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}/actions/runs/{GITHUB_RUN_ID}",
        commit="GITHUB_SHA",
        workflow="GITHUB_WORKFLOW",
    ),
    _System(
        "GitLab CI",
        sign="GITLAB_CI",
        run_url="{CI_JOB_URL}",
        commit="CI_COMMIT_SHA",
        workflow="CI_JOB_NAME",
    ),
    _System(
        "Jenkins",
        sign="JENKINS_URL",
        run_url="{BUILD_URL}",
        commit="GIT_COMMIT",
        workflow="JOB_NAME",
    ),
)
_LIMIT = 500


def current_origin(
    environment: Mapping[str, str] = os.environ, *, organisation: str = "", person: str = ""
) -> Origin:
    """Return who runs this process: of a CI job its system, run, commit and workflow.

    Args:
        environment: what the CI systems tell.
        organisation: on whose behalf, as the settings say.
        person: who answers for it, as the settings say.
    """
    named = {"organisation": redact(organisation), "person": redact(person)}
    for system in _SYSTEMS:
        if environment.get(system.sign):
            return Origin(
                **named,
                ci=system.name,
                run_url=_filled(system.run_url, environment),
                commit=_text(environment.get(system.commit, "")),
                workflow=_text(environment.get(system.workflow, "")),
            )
    return Origin(**named, user=_text(_user()))


def _filled(template: str, environment: Mapping[str, str]) -> str:
    """The address of the run; empty if a part of it is missing."""
    try:
        return _text(template.format_map(environment))
    except KeyError:
        return ""


def _text(value: str) -> str:
    return redact(value)[:_LIMIT]


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user id without a name
        return ""
