"""The SDK's surface as data, and how it is read from wheels."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from fedcheck.lint.sdk import surface_extraction
from fedcheck.lint.sdk.missing_releases import missing
from fedcheck.lint.sdk.releases import nearest, surface_data, version_key, versions
from fedcheck.lint.sdk.surface import Surface, signature, surface
from fedcheck.lint.sdk.targets import newest, target_of

OLD = (
    "class Context:\n    db: object = None\n    def webhook_url(self, path: str) -> str: ...\n"
    "class SkeletonClient:\n    async def update(self, section, data): ...\n"
)
NEW = (
    "class Context:\n    def __init__(self): self._token = 1\n"
    "    async def webhook_url(self, path: str, *, full=False) -> str: ...\n"
    "    @property\n    def cache(self) -> 'CacheClient': ...\n"
    "raise SystemExit('a module that must not be imported')\n"
)


def wheel(folder: Path, version: str, source: str) -> None:
    """Write a wheel of the SDK with one module."""
    path = folder / f"imperal_sdk-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("imperal_sdk/__init__.py", "from imperal_sdk.context import Context\n")
        archive.writestr("imperal_sdk/context.py", source)
        archive.writestr("imperal_sdk/testing/mock.py", "class Context:\n    fake = 1\n")


def test_wheels_are_read_and_not_imported(tmp_path: Path) -> None:
    """Members come and go with the releases; order is that of the versions, not of the names."""
    wheel(tmp_path, "1.9.0", OLD)
    wheel(tmp_path, "1.10.0", NEW)
    output = tmp_path / "surface.json"
    result = CliRunner().invoke(surface_extraction.main, [str(tmp_path), "-o", str(output)])
    assert 0 == result.exit_code, result.output
    data = json.loads(output.read_text())
    assert ["1.9.0", "1.10.0"] == data["versions"]
    context = data["classes"]["Context"]
    assert [["1.9.0", "field object="], ["1.10.0", ""]] == context["db"]
    assert [["1.10.0", "property -> 'CacheClient'"]] == context["cache"]
    assert "async method (path, *, full=False) -> str" == context["webhook_url"][-1][1]
    assert "fake" not in context


def test_releases_are_added_one_by_one(tmp_path: Path) -> None:
    """A release whose wheel is no longer at hand stays, with all that it held."""
    output, wheels = tmp_path / "surface.json", tmp_path / "wheels"
    wheels.mkdir()
    wheel(wheels, "1.9.0", OLD)
    wheel(wheels, "1.10.0", NEW)
    CliRunner().invoke(surface_extraction.main, [str(wheels), "-o", str(output)])
    at_once = output.read_text(), output.with_name("modules.json").read_text()
    output.unlink()
    for version, source in (("1.10.0", NEW), ("1.9.0", OLD)):
        one = tmp_path / version
        one.mkdir()
        wheel(one, version, source)
        result = CliRunner().invoke(surface_extraction.main, [str(one), "-o", str(output)])
        assert f"added: {version}" in result.output

    assert at_once == (output.read_text(), output.with_name("modules.json").read_text())


def test_a_file_that_cannot_be_read_is_not_replaced(tmp_path: Path) -> None:
    """Or the releases in it would be lost."""
    wheel(tmp_path, "1.9.0", OLD)
    output = tmp_path / "surface.json"
    output.write_text("half a f")
    result = CliRunner().invoke(surface_extraction.main, [str(tmp_path), "-o", str(output)])

    assert (2, "half a f") == (result.exit_code, output.read_text())


def test_the_packaged_files_say_of_each_release_what_they_were_made_from() -> None:
    """Taken apart by release and put together again they are the same."""
    data = surface_data()
    classes = surface_extraction.by_release(data["versions"], data["classes"])

    assert data["classes"] == surface_extraction.timeline(data["versions"], classes)


def test_releases_that_the_index_has_are_compared_with_the_known() -> None:
    """A list without the line of pip says nothing, and is not taken for an answer."""
    assert ["99.0.0"] == missing("imperal-sdk (99.0.0)\nAvailable versions: 99.0.0, 6.3.7\n")
    assert missing("ERROR: no such option") is None


def test_an_empty_folder_is_wrong_usage(tmp_path: Path) -> None:
    """The message says what to do."""
    output = str(tmp_path / "s.json")
    result = CliRunner().invoke(surface_extraction.main, [str(tmp_path), "-o", output])
    assert 2 == result.exit_code
    assert "download" in result.output


def test_half_a_wheel_is_told(tmp_path: Path) -> None:
    """As a download that was cut short leaves one."""
    (tmp_path / "imperal_sdk-9.9.9-py3-none-any.whl").write_bytes(b"PK")
    output = tmp_path / "out.json"
    result = CliRunner().invoke(surface_extraction.main, [str(tmp_path), "-o", str(output)])
    assert (2, False) == (result.exit_code, output.exists())
    assert "download it again" in result.output


def test_every_release_is_known() -> None:
    """The file reaches from the first release to 6.3.7, in order."""
    known = versions()
    assert list(known) == sorted(known, key=version_key)
    assert ("0.1.0", True) == (known[0], "6.3.7" in known)


@pytest.mark.parametrize(
    ("version", "cls", "member", "expected"),
    [
        ("1.5.27", "Context", "cache", False),
        ("1.6.0", "Context", "cache", True),
        ("1.5.27", "SkeletonClient", "update", True),
        ("6.3.7", "_SkeletonAccessGuard", "update", False),
        ("6.3.7", "UserContext", "id", False),
        ("6.3.7", "UserContext", "imperal_id", True),
        ("5.0.3", "Context", "db", True),
        ("5.1.0", "Context", "db", False),
        ("6.3.7", "App", "panel", True),
        ("99.0", "ActionResult", "success", True),
    ],
)
def test_facts_of_the_releases(version: str, cls: str, member: str, expected: bool) -> None:
    """Members that the documents name are there, or not, in the releases that they name."""
    assert expected == (surface(version).member(cls, member) is not None)


def test_signatures() -> None:
    """What a call may give is read from the text."""
    member = surface("6.3.7").member("CacheClient", "set")
    assert member is not None
    spec = member.signature
    assert spec is not None
    assert (("key", "value", "ttl_seconds"), frozenset({"key", "value"})) == (
        spec.names,
        spec.required,
    )
    assert member.is_async
    assert signature("(a, *, b, c=1, **d) -> int").required == {"a", "b"}
    assert signature("(a, *, b, c=1, **d) -> int").open


def test_the_guard_comes_with_1_6() -> None:
    """Before, ``ctx.skeleton`` was the client itself."""
    assert "SkeletonClient" == surface("1.5.27").client("skeleton")
    assert "_SkeletonAccessGuard" == surface("1.6.0").client("skeleton")
    assert "User" == surface("2.0.0").client("user")


@pytest.mark.parametrize(
    ("wanted", "known"), [("99.0", versions()[-1]), ("5.9.999", "5.9.22"), ("0.0.1", versions()[0])]
)
def test_an_unknown_release_is_judged_as_the_nearest(wanted: str, known: str) -> None:
    """And messages name the one that was asked."""
    assert known == surface(wanted).version


def test_a_removed_member_has_a_history() -> None:
    """Messages tell since when something is gone."""
    newest: Surface = surface(versions()[-1])
    assert "" == newest.history("Context", "db")[-1][1]


@pytest.mark.parametrize(
    ("requirement", "expected"),
    [
        ("imperal-sdk>=5.0.0", newest()),
        ("imperal-sdk>=99.1.0", "99.1.0"),
        ("imperal-sdk==99.1.0", "99.1.0"),
        ("imperal-sdk>=99.1,<100", "99.1"),
        ("imperal-sdk~=99.1.0", "99.1.0"),
        ("imperal-sdk==99.1.*", "99.1"),
        ("imperal-sdk>=5.0,<5.1", "5.0.3"),
        ("imperal-sdk>=5.0,!=99.1", newest()),
        ("imperal-sdk<0.0.1", newest()),
    ],
)
def test_a_release_beyond_the_table_is_taken_as_it_is(
    tmp_path: Path, requirement: str, expected: str
) -> None:
    """Else the newest known release would be blamed for what only a newer one has."""
    (tmp_path / "requirements.txt").write_text(f"{requirement}\n")
    assert expected == target_of("")(tmp_path)


@pytest.mark.parametrize(
    ("requirement", "expected"),
    [
        ("imperal-sdk @ git+https://example.org/imperal-sdk.git@v1.5.24", "1.5.24"),
        ("imperal-sdk[dev] @ git+ssh://git@example.org/sdk.git@1.5.24#egg=x", "1.5.24"),
        ("git+https://example.org/imperal-sdk@v1.5.24", "1.5.24"),
        ("-e git+https://example.org/imperal_sdk@v1.5.24 # our pin", "1.5.24"),
        ("imperal-sdk@https://example.org/imperal_sdk-1.5.24-py3-none-any.whl", "1.5.24"),
        ("https://example.org/imperal_sdk-1.5.24.tar.gz", "1.5.24"),
        ("imperal-sdk @ https://example.org/archive/refs/tags/v1.5.24.zip", "1.5.24"),
        ("imperal-sdk @ git+https://example.org/imperal-sdk.git@main", "5.1.0"),
        ("imperal-sdk @ git+https://example.org/imperal-sdk.git", "5.1.0"),
        ("git+https://example.org/other@v1.5.24", "5.1.0"),
        ("https://example.org/other-1.5.24.tar.gz", "5.1.0"),
    ],
)
def test_a_requirement_by_address_names_the_release_of_its_tag(
    tmp_path: Path, requirement: str, expected: str
) -> None:
    """Without a tag the manifest tells, and not the newest release."""
    (tmp_path / "requirements.txt").write_text(f"{requirement}\n")
    (tmp_path / "imperal.json").write_text('{"sdk_version": "5.1.0"}')
    assert expected == target_of("")(tmp_path)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"requirements.txt": b"\xef\xbb\xbfimperal-sdk==5.0.1\n"}, "5.0.1"),
        ({"requirements.txt": "imperal-sdk==5.0.1\n".encode("utf-16")}, "5.0.1"),
        ({"requirements.txt": b"imperal-sdk \\\r\n  ==5.0.1 \\\r\n  --hash=sha256:0\r\n"}, "5.0.1"),
        ({"requirements.txt": b"./vendor/imperal_sdk-5.0.1-py3-none-any.whl\n"}, "5.0.1"),
        ({"requirements.txt": b"imperal-sdk==6.0.0rc1\n"}, "6.0.0"),
        (
            {
                "requirements.txt": b"imperal-sdk\n",
                "pyproject.toml": b'[project]\ndependencies = ["imperal-sdk==5.0.1"]\n',
            },
            "5.0.1",
        ),
        ({"pyproject.toml": b'[tool.poetry.dependencies]\nimperal-sdk = "^5.0"\n'}, "5.16.0"),
        ({"pyproject.toml": b'[tool.poetry.dependencies]\nimperal-sdk = "~5.0"\n'}, "5.0.3"),
        ({"pyproject.toml": b'[tool.poetry.dependencies]\nimperal_sdk = "5.0.1"\n'}, "5.0.1"),
        (
            {"pyproject.toml": b'[tool.poetry.dependencies.imperal-sdk]\nversion = "<5.0.2"\n'},
            "5.0.1",
        ),
        (
            {
                "pyproject.toml": b'[project]\ndependencies = ["imperal-sdk"]\n'
                b'[tool.uv.sources]\nimperal-sdk = { git = "https://a.b/c", tag = "v5.0.1" }\n'
            },
            "5.0.1",
        ),
        (
            {"pyproject.toml": b'[tool.uv.sources]\nimperal-sdk = { git = "u", rev = "main" }\n'},
            newest(),
        ),
        (
            {
                "requirements.txt": b"imperal-sdk>=5.0\n",
                "pyproject.toml": b'[project]\ndependencies = ["imperal-sdk==5.0.1"]\n',
            },
            "5.0.1",
        ),
        (
            {
                "requirements.txt": b"imperal-sdk==5.0.2\n",
                "pyproject.toml": b'[project]\ndependencies = ["imperal-sdk==5.0.1"]\n',
            },
            "5.0.2",
        ),
        ({"requirements.txt": b"-r base.txt\n", "base.txt": b"imperal-sdk==5.0.1\n"}, "5.0.1"),
        (
            {
                "requirements.txt": b"--requirement=base.txt # ours\nimperal-sdk\n",
                "base.txt": b"-c 'pins.txt'\n-r requirements.txt\nimperal-sdk>=5.0\n",
                "pins.txt": b"imperal_sdk==5.0.1\n",
            },
            "5.0.1",
        ),
        ({"requirements.txt": b"imperal-sdk==5.0.1\n-r no.txt\n-r https://a.b/c.txt\n"}, "5.0.1"),
        (
            {"requirements.txt": b"-rbase.txt\n", "imperal.json": b'{"sdk_version": "5.0.1"}'},
            "5.0.1",
        ),
        (
            {
                "requirements.txt": b'imperal-sdk==5.0.2; python_version < "3.9"\n'
                b'imperal-sdk[x]==5.0.1 ; python_version >= "3.9" --hash=sha256:0\n'
            },
            "5.0.1",
        ),
        ({"requirements.txt": b'imperal-sdk==5.0.1; sys_platform == "win32"\n'}, newest()),
        ({"requirements.txt": b"imperal-sdk==5.0.1; not a marker\n"}, "5.0.1"),
        ({"requirements.txt": b"imperal-sdk==5.0.1; %s\n" % (b"(" * 5000)}, "5.0.1"),
        (
            {"requirements.txt": b"imperal-sdk==5.0.1; python_version > '%s'\n" % (b"9" * 5000)},
            "5.0.1",
        ),
        ({"imperal.json": b'{"sdk_version": "v5.0.1"}'}, "5.0.1"),
        ({"imperal.json": b'{"sdk_version": "^5.0.1"}'}, "5.16.0"),
        ({"imperal.json": b'{"sdk_version": "^0.4.0"}'}, "0.4.1"),
        ({"imperal.json": b'{"sdk_version": "*"}'}, newest()),
        ({"imperal.json": b'{"sdk_version": "latest"}'}, newest()),
    ],
)
def test_the_ways_to_name_a_release(tmp_path: Path, files: dict[str, bytes], expected: str) -> None:
    """A pin in any of them keeps the newest release from being taken."""
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    assert expected == target_of("")(tmp_path)


def test_included_requirements_lie_in_the_tree(tmp_path: Path) -> None:
    """Those of a folder above are the extension's; those anywhere else on the machine are not."""
    inner = tmp_path / "a" / "b" / "c" / "ext"
    inner.mkdir(parents=True)
    (tmp_path / "a" / "base.txt").write_text("imperal-sdk==5.0.1\n")
    (tmp_path / "far.txt").write_text("imperal-sdk==5.0.2\n")
    (inner / "requirements.txt").write_text("-r ../../../../far.txt\n-r ../../../base.txt\n")
    assert "5.0.1" == target_of("")(inner)


def test_clients_of_the_gateway_inherit() -> None:
    """What their base has is theirs, in the releases that have it; nothing else is."""
    found = surface("6.3.7")
    assert found.client("users") == "UsersClient"
    assert found.member("UsersClient", "for_user") is not None
    assert found.member("UsersClient", "fetch") is None
    assert "" == surface("5.11.0").client("users")


def test_a_short_version_is_the_release_that_an_installer_takes() -> None:
    """``imperal-sdk==5.9`` installs 5.9.0, which is not older than 5.9.0."""
    assert surface("5.9.0").key == surface("5.9").key
    assert surface("5.9").at_least("5.9.0")
    assert not surface("5.9").at_least("5.9.1")


@pytest.mark.parametrize(
    ("version", "expected"),
    [("5.9.14", "5.9.13"), ("6.3.7", "6.3.7"), ("5.9", "5.9.0"), ("0.0.1", "0.1.0")],
)
def test_the_release_that_a_version_is_judged_by(version: str, expected: str) -> None:
    """A release that the table lacks is judged by the one before it."""
    assert expected == nearest(version)
