"""Adds the releases in a folder of wheels of the SDK to ``surface.json`` and ``modules.json``.

    python -m fedcheck.lint.sdk.missing_releases                       # names what is missing
    python -m pip download --no-deps -d WHEELS imperal-sdk==VERSION    # for each of them
    python -m fedcheck.lint.sdk.surface_extraction WHEELS -o lint/sdk/surface.json

Wheels are read as archives and their modules parsed; nothing is imported. A release that the
files know stays in them, whether its wheel is at hand or not; one that is gives what it holds.
"""

from __future__ import annotations

import ast
import json
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import click

from .constructors import described
from .package_reading import Bound, Package
from .releases import VersionKey, version_key
from .surface import CLOSED, PACKAGE

CLASSES = CLOSED | {
    "Context", "_SkeletonAccessGuard", "SkeletonClient", "GatewayClient", "App", "Extension",
    "ChatExtension",
}  # fmt: skip
_OF_TWO_SHAPES = frozenset({"LimitsResult", "SubscriptionInfo"})
"""The client returns one class of that name, the documents show another: both have its members."""
_SKIPPED = re.compile(r"imperal_sdk/(testing|cli|devtools|ui|schemas)/")

Facts = dict[str, str]
"""Name of a member → its kind and signature."""


def main_modules(wheel: zipfile.ZipFile) -> Iterator[tuple[str, ast.Module]]:
    """Yield (file, tree) of each module that may define public classes."""
    for name in sorted(wheel.namelist()):
        if name.startswith(f"{PACKAGE}/") and name.endswith(".py") and not _SKIPPED.match(name):
            yield name, ast.parse(wheel.read(name))


def read_wheel(path: Path) -> dict[str, Facts]:
    """Return class → members, and under ``""`` the names that the package's root offers."""
    found: dict[str, Facts] = {}
    with zipfile.ZipFile(path) as wheel:
        for file, tree in main_modules(wheel):
            for node in tree.body:
                if isinstance(node, ast.ClassDef) and node.name in CLASSES:
                    _keep(found, node)
            if file == f"{PACKAGE}/__init__.py":
                found[""] = dict.fromkeys(_root_names(tree), "name")
        modules = {
            name.split("/")[1].removesuffix(".py")
            for name in wheel.namelist()
            if name.startswith(f"{PACKAGE}/")
        }
        found.setdefault("", {}).update(dict.fromkeys(modules - {"__init__", "py.typed"}, "module"))
    return found


def _keep(found: dict[str, Facts], node: ast.ClassDef) -> None:
    """Keep the fuller of two classes with one name: the other is a protocol or a stub."""
    facts = dict(_members(node))
    if node.name in _OF_TWO_SHAPES:
        found[node.name] = {**found.get(node.name, {}), **facts}
    elif len(facts) > len(found.get(node.name, {})):
        found[node.name] = facts


def _root_names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.ImportFrom, ast.Import)):
            yield from (alias.asname or alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.Dict):
            yield from (
                key.value
                for key in node.keys
                if isinstance(key, ast.Constant) and isinstance(key.value, str)
            )
    for node in tree.body:
        if isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _members(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    yield "(bases)", ", ".join(ast.unparse(base) for base in node.bases)
    for item in node.body:
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _instance_attributes(item)
    for item in node.body:
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            optional = "=" if item.value else ""
            yield item.target.id, f"field {ast.unparse(item.annotation)}{optional}"
        elif isinstance(item, ast.Assign):
            names = (target.id for target in item.targets if isinstance(target, ast.Name))
            yield from ((name, "attribute") for name in names if name != "__slots__")
        elif isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield item.name, _described(item)


def _instance_attributes(
    method: ast.FunctionDef | ast.AsyncFunctionDef,
) -> Iterator[tuple[str, str]]:
    for node in ast.walk(method):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
        ):
            yield node.attr, "attribute"


def _described(item: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Return for example ``async (key, model) -> T | None``, without ``self``."""
    decorators = {ast.unparse(decorator).split(".")[-1] for decorator in item.decorator_list}
    returns = f" -> {ast.unparse(item.returns)}" if item.returns else ""
    if decorators & {"property", "cached_property"}:
        return f"property{returns}"
    kind = next((kind for kind in ("classmethod", "staticmethod") if kind in decorators), "method")
    arguments = item.args
    if kind != "staticmethod":
        (arguments.posonlyargs or arguments.args)[:1] = []
    for argument in (
        *arguments.posonlyargs,
        *arguments.args,
        *arguments.kwonlyargs,
        *filter(None, (arguments.vararg, arguments.kwarg)),
    ):
        argument.annotation = None
    prefix = "async " if isinstance(item, ast.AsyncFunctionDef) else ""
    generator = any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in ast.walk(item))
    return f"{prefix}{'generator ' if generator else ''}{kind} ({ast.unparse(arguments)}){returns}"


def read_modules(path: Path) -> dict[str, Facts]:
    """Return module → public names, each with how it may be called (see ``constructors``).

    ``=ui.data.Stat`` stands for a name of another module, ``.`` for a module, ``v`` for anything
    else; the name ``(open)`` for a module whose names are not all known.
    """
    package = Package(path)
    found: dict[str, Facts] = {}
    for dotted, module in package.modules.items():
        if _is_public(dotted):
            facts = {name: "." for name in package.submodules(dotted) if _is_public(name)}
            for name, bound in package.all_names(dotted).items():
                if _is_public(name):
                    facts[name] = _meaning(package, dotted, name, bound)
            found[dotted] = facts | ({"(open)": "v"} if module.is_open else {})
    return found


def _meaning(package: Package, dotted: str, name: str, bound: list[Bound]) -> str:
    if len(bound) == 1 and bound[0].alias is not None:
        inner = ".".join(part for part in bound[0].alias if part)
        if inner in package.modules and package.definition(dotted, name) is None:
            return "."
    found = package.definition(dotted, name)
    if found is None:
        return "v"
    where, node = found
    if (where, node.name) != (dotted, name) and _is_public(where) and _is_public(node.name):
        return f"={where}.{node.name}"
    return described(package, where, node)


def _is_public(dotted: str) -> bool:
    return not any(part.startswith("_") for part in dotted.split("."))


def timeline(
    versions: list[str], read: dict[str, dict[str, Facts]]
) -> dict[str, dict[str, list[list[str]]]]:
    """Return class → member → [first version with this text, text]; text ``""`` is removal."""
    result: dict[str, dict[str, list[list[str]]]] = {}
    classes = sorted({name for facts in read.values() for name in facts})
    for name in classes:
        members = sorted({member for facts in read.values() for member in facts.get(name, {})})
        for member in members:
            spans: list[list[str]] = []
            for version in versions:
                text = read[version].get(name, {}).get(member, "")
                if text != (spans[-1][1] if spans else ""):
                    spans.append([version, text])
            result.setdefault(name, {})[member] = spans
    return result


def by_release(
    versions: list[str], table: dict[str, dict[str, list[list[str]]]]
) -> dict[str, dict[str, Facts]]:
    """Return version → class → members: what ``timeline`` was given to make this table."""
    found: dict[str, dict[str, Facts]] = {version: {} for version in versions}
    for name, members in table.items():
        for member, spans in members.items():
            texts = dict(map(tuple[str, str], spans))
            text = ""
            for version in versions:
                text = texts.get(version, text)
                if text or not spans:
                    found[version].setdefault(name, {})[member] = text
    return found


def _version_of(wheel: Path) -> str:
    return wheel.name.split("-")[1]


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True)
def main(folder: Path, output: Path) -> None:
    """Read the wheels in FOLDER and write the SDK's surface."""
    wheels = sorted(folder.glob("imperal_sdk-*.whl"), key=_key)
    if not wheels:
        raise click.UsageError(f"{folder}: it holds no imperal_sdk-*.whl; download some first")
    for wheel in wheels:
        if not zipfile.is_zipfile(wheel):
            raise click.UsageError(f"{wheel}: it is no wheel, or not all of one; download it again")
    beside = output.with_name("modules.json")
    known, old_classes, old_modules = _known(output, beside)
    added = [each for each in map(_version_of, wheels) if each not in known]
    versions = sorted({*known, *added}, key=version_key)
    classes = by_release(known, old_classes) | {_version_of(x): read_wheel(x) for x in wheels}
    modules = by_release(known, old_modules) | {_version_of(x): read_modules(x) for x in wheels}
    head = f'"versions": {json.dumps(versions)},\n'
    body = _written(timeline(versions, classes))
    output.write_text(f'{{{head}"classes": {body}}}\n', encoding="utf-8")
    beside.write_text(_written(timeline(versions, modules)) + "\n", encoding="utf-8")
    told = f"{len(versions)} releases, {versions[0]} to {versions[-1]}"
    sys.stderr.write(f"{told}; added: {', '.join(added) or 'none'}\n")


def _known(
    surface: Path, modules: Path
) -> tuple[list[str], dict[str, dict[str, list[list[str]]]], dict[str, dict[str, list[list[str]]]]]:
    """The releases that the files hold, with their tables of classes and modules."""
    if not surface.exists():
        return [], {}, {}
    try:
        read = json.loads(surface.read_bytes())
        return read["versions"], read["classes"], json.loads(modules.read_bytes())
    except (ValueError, KeyError, OSError) as error:
        raise click.UsageError(
            f"{surface}: its releases cannot be read, and must not be lost: {error}; mend it, or "
            "name another file"
        ) from None


def _written(table: dict[str, dict[str, list[list[str]]]]) -> str:
    """Return the table as JSON with a line for each member."""
    lines = (
        f"{json.dumps(name)}: {{\n"
        + ",\n".join(f" {json.dumps(key)}: {json.dumps(spans)}" for key, spans in members.items())
        + "\n}"
        for name, members in table.items()
    )
    return "{\n" + ",\n".join(lines) + "\n}"


def _key(wheel: Path) -> VersionKey:
    return version_key(_version_of(wheel))


if __name__ == "__main__":
    main()
