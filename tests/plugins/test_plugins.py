"""Plug-ins that are broken, hostile, or in each other's way."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from fedcheck.conformance.driving.plan import plan_run
from fedcheck.conformance.running.suite import run_suite
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.invariants import catalog as catalog_module
from fedcheck.invariants import plugins
from fedcheck.invariants.catalog import catalog, catalog_digest, find, own_invariants
from fedcheck.invariants.vocabulary.errors import CatalogError, PluginError, UsageError
from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.wording.narrative import tell_incident

Install = Callable[..., None]
Fedcheck = Callable[..., subprocess.CompletedProcess[str]]

GOOD = """\
from dataclasses import replace
from fedcheck.invariants.judges.prompts.c_user_authoritative import INVARIANT as MODEL
INVARIANT = replace(MODEL, id="ACME-GOOD")
"""
BAD_CLAUSE = f"""\
{GOOD}
CLAUSE = replace(INVARIANT.clauses[0], name="../x")
INVARIANT = replace(INVARIANT, clauses=(CLAUSE,))
"""
RAISING = f"""\
{GOOD}
def judge(view):
    raise KeyError("no such line")
    yield
MORE = replace(INVARIANT.clauses[0], name="raises", judge=judge)
INVARIANT = replace(INVARIANT, id="ACME-RAISING", clauses=(*INVARIANT.clauses, MORE))
"""


@pytest.fixture(autouse=True)
def forgotten() -> Generator[None]:
    """What is installed during a test is not remembered after it."""
    caches = (plugins._found, plugins._loaded, catalog_module._catalog)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delenv(plugins.OFF, raising=False)
    return folder


@pytest.fixture
def install(site: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install a module with an entry point, as pip leaves it."""

    def installed(
        name: str, text: str, *, group: str = plugins.INVARIANTS, point: str = "", target: str = ""
    ) -> None:
        (site / f"{name}.py").write_text(text, "utf-8")
        monkeypatch.delitem(sys.modules, name, raising=False)
        info = site / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(
            f"[{group}]\n{point or name} = {target or f'{name}:INVARIANT'}\n"
        )

    return installed


def problem_of() -> str:
    """The problem of the one plug-in that there is."""
    (plugin,) = plugins.invariant_plugins()
    return plugin.problem


def test_a_good_one_is_part_of_the_catalog(install: Install) -> None:
    """Beside our own, in the order of the ids; the digest of the catalog is another one."""
    before = catalog_digest()
    catalog_module._catalog.cache_clear()
    plugins._found.cache_clear()
    plugins._loaded.cache_clear()
    install("acme_good", GOOD)

    assert {"ACME-GOOD"} == {x.id for x in catalog()} - {x.id for x in own_invariants()}
    assert sorted(x.id for x in catalog()) == [x.id for x in catalog()]
    assert before != catalog_digest()


def test_an_entry_point_may_name_a_module_or_several_invariants(install: Install) -> None:
    """Whatever suits the author."""
    install("acme_module", GOOD, target="acme_module")
    two = f'{GOOD}INVARIANTS = (replace(MODEL, id="ACME-A"), replace(MODEL, id="ACME-B"))\n'
    install("acme_two", two, target="acme_two:INVARIANTS")

    assert {"ACME-GOOD", "ACME-A", "ACME-B"} <= {x.id for x in catalog()}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("raise RuntimeError('no licence')", "RuntimeError: no licence"),
        ("import a_package_that_is_not_there", "a_package_that_is_not_there"),
        ("def broken(:", "SyntaxError"),
        ("raise SystemExit(0)", "SystemExit"),
        ("x = 1", "INVARIANT"),
        ("INVARIANT = 'text'", "names str, not an Invariant"),
        ("INVARIANT = ()", "names no invariant"),
        (GOOD.replace("ACME-GOOD", "acme/../good"), "is not allowed"),
        (GOOD.replace("ACME-GOOD", "ACME"), "is not allowed"),
        (f"{GOOD}INVARIANT = replace(INVARIANT, clauses=())", "each clause needs a name"),
        (
            f"{GOOD}INVARIANT = replace(INVARIANT, clauses=INVARIANT.clauses * 2)",
            "each clause needs a name",
        ),
        (BAD_CLAUSE, "clause name '../x' is not allowed"),
    ],
)
def test_a_broken_one_is_told_and_stops_the_run(install: Install, text: str, problem: str) -> None:
    """What it would have judged is not known, so nothing is green."""
    install("acme_broken", text)

    assert problem in problem_of()
    assert own_invariants() == catalog()
    with pytest.raises(PluginError, match=r"plug-in 'acme_broken' of acme_broken 1\.0"):
        plan_run(RunOptions()).__enter__()


def test_one_can_go_on_without_it(install: Install) -> None:
    """The record says what was missing."""
    install("acme_broken", "raise RuntimeError('no licence')")
    options = RunOptions(select=("C-USER-AUTHORITATIVE",), examples=0, allow_broken_plugins=True)
    record = run_suite(options, Quiet())
    (plugin,) = record.header.plugins

    assert 0 == record.summary.exit_code
    assert ("acme_broken", "1.0") == (plugin.distribution, plugin.version)
    assert "no licence" in plugin.problem
    assert 64 == len(plugin.digest)


def test_an_error_of_its_judge_is_told_as_the_judges(install: Install) -> None:
    """With clause and module; the other clauses, and those of other invariants, go on."""
    install("acme_raising", RAISING)
    options = RunOptions(select=("ACME-RAISING", "C-USER-AUTHORITATIVE"), examples=0)
    record = run_suite(options, Quiet())
    raising = "ACME-RAISING/raises"
    told = (
        f"the judge of {raising}, in the module acme_raising, raised KeyError: 'no such line' "
        "(acme_raising.py, line 6); the kernel is not to blame"
    )

    assert {raising: Verdict.ERROR} == {
        x.clause: x.verdict for x in record.clauses if x.verdict is not Verdict.PASS
    }
    assert {(raising, "error")} == {(x.clause, x.kind) for x in record.incidents}
    assert record.incidents[0].message.startswith(told)
    assert f"--select {raising} " in record.incidents[0].command
    assert f"ERROR while judging {raising}: " in next(tell_incident(record.incidents[0])).text


def test_its_ids_are_not_found_and_the_message_says_why(install: Install) -> None:
    """Otherwise one would look for a spelling mistake."""
    install("acme_broken", "raise RuntimeError('no licence')")

    with pytest.raises(UsageError, match=r"acme_broken.*no licence"):
        find("ACME-GOOD")


@pytest.mark.parametrize("own", [True, False])
def test_an_id_that_exists_already_is_refused(install: Install, own: bool) -> None:
    """Neither of the two silently wins; both places are named."""
    taken = own_invariants()[0].id if own else "ACME-GOOD"
    install("acme_first", GOOD)
    install("acme_second", GOOD.replace("ACME-GOOD", taken))

    with pytest.raises(CatalogError, match=rf"acme_second.*{taken} exists already.*--no-plugins"):
        catalog()


def test_a_kernel_is_found_by_its_name_and_not_imported(install: Install) -> None:
    """It may crash when it is; that is what its own process is for."""
    install("acme_kernel", "raise SystemExit", group=plugins.KERNELS, point="acme")
    found = plugins.kernel_plugin("acme")

    assert found is not None
    assert "acme_kernel:INVARIANT" == found.target
    assert "acme_kernel" not in sys.modules
    assert plugins.kernel_plugin("other") is None


def test_two_kernels_of_one_name_are_refused(install: Install) -> None:
    """Which one was judged would be chance."""
    for name in ("acme_one", "acme_two"):
        install(name, "", group=plugins.KERNELS, point="acme")

    with pytest.raises(CatalogError, match=r"acme_one 1\.0 and .*acme_two 1\.0 have it"):
        plugins.kernel_plugin("acme")


def test_kept_out_is_only_for_a_while(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    """And never lets in what the environment keeps out."""
    install("acme_good", GOOD)
    with plugins.kept_out():
        assert own_invariants() == catalog()
    assert own_invariants() != catalog()
    monkeypatch.setenv(plugins.OFF, "1")
    with plugins.kept_out(False):
        assert own_invariants() == catalog()


def test_the_command_ends_with_3_and_says_how_to_go_on(
    fedcheck_process: Fedcheck, install: Install, site: Path
) -> None:
    """What a module prints while it is imported is no part of the result."""
    install("acme_broken", "print('hello')\nraise RuntimeError('\\x1b[31mno licence')")
    words = ("run", "--select", "C-USER-AUTHORITATIVE", "--examples", "0")
    stopped = fedcheck_process(*words, PYTHONPATH=str(site))
    went_on = fedcheck_process(*words, "--allow-broken-plugins", PYTHONPATH=str(site))

    assert 3 == stopped.returncode
    assert "--allow-broken-plugins or --no-plugins" in stopped.stderr
    assert "\x1b" not in stopped.stderr
    assert "hello" not in stopped.stdout
    assert 0 == went_on.returncode, went_on.stderr
    assert "acme_broken took no part" in went_on.stderr


def test_the_start_looks_for_no_plugin(install: Install, site: Path) -> None:
    """Entry points are read when a catalog is needed, not before."""
    install("acme_broken", "raise RuntimeError('no licence')")
    code = (
        "import sys, fedcheck.__main__ as main\n"
        "try:\n    main.cli.main(['--version'])\nexcept SystemExit:\n    pass\n"
        "assert 'importlib.metadata' not in sys.modules, 'entry points'\n"
        "assert 'msgspec' not in sys.modules, 'msgspec'"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=site, capture_output=True, text=True, check=False
    )

    assert 0 == done.returncode, done.stderr


class Quiet:
    """An observer that has nothing to show."""

    def planned(self, *_: object) -> None: ...

    def advanced(self, *_: object) -> None: ...

    def stage(self, *_: object) -> None: ...

    def reducing(self, *_: object) -> None: ...

    def failed(self, *_: object) -> None: ...

    def found(self, *_: object) -> None: ...
