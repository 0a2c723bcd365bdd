"""Who runs it: taken from the few variables that CI systems set, and from nothing else."""

from __future__ import annotations

import pytest

from fedcheck.conformance.running.origin import current_origin
from fedcheck.reports.record.model import Origin

GITHUB = {
    "GITHUB_ACTIONS": "true",
    "GITHUB_SERVER_URL": "https://git.example",
    "GITHUB_REPOSITORY": "acme/kernel",
    "GITHUB_RUN_ID": "77",
    "GITHUB_SHA": "abc",
    "GITHUB_WORKFLOW": "nightly",
    "GITHUB_TOKEN": "hunter2",
}
GITLAB = {
    "GITLAB_CI": "true",
    "CI_JOB_URL": "https://oauth2:hunter2@git.example/-/jobs/1",
    "CI_COMMIT_SHA": "abc",
    "CI_JOB_NAME": "nightly",
}
JENKINS = {
    "JENKINS_URL": "https://ci.example",
    "BUILD_URL": "https://ci.example/job/7",
    "GIT_COMMIT": "abc",
    "JOB_NAME": "nightly",
}


@pytest.mark.parametrize(
    ("environment", "ci", "run_url"),
    [
        (GITHUB, "GitHub Actions", "https://git.example/acme/kernel/actions/runs/77"),
        (GITLAB, "GitLab CI", "https://***@git.example/-/jobs/1"),
        (JENKINS, "Jenkins", "https://ci.example/job/7"),
        ({"GITHUB_ACTIONS": "true", **JENKINS, "GITHUB_SHA": "abc"}, "GitHub Actions", ""),
    ],
)
def test_a_ci_job_is_known_by_its_variables(
    environment: dict[str, str], ci: str, run_url: str
) -> None:
    """System, address of the run, commit and workflow; no secret and no user."""
    origin = current_origin(environment)

    assert (ci, run_url, "abc", "") == (origin.ci, origin.run_url, origin.commit, origin.user)
    assert "hunter2" not in repr(origin)
    assert origin.workflow == environment.get("GITHUB_WORKFLOW", origin.workflow)


def test_elsewhere_it_is_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """And one without a name is nobody."""
    monkeypatch.setattr("getpass.getuser", lambda: "ann")
    assert Origin(user="ann") == current_origin({"HOME": "/home/ann"})

    def nobody() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr("getpass.getuser", nobody)
    assert Origin() == current_origin({})
