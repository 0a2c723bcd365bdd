"""A server that keeps the trees of unchanged files says what a run without them says."""

from __future__ import annotations

import ast
import random
import re
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from fedcheck import lint
from fedcheck.lint.engine import extension_run
from fedcheck.lint.engine.engine import Target, check
from fedcheck.lint.files.source import SourceFile
from fedcheck.lint.inference.project import Project
from fedcheck.lint.inference.syntax.kept_trees import KeptTrees
from fedcheck.lint.sdk.releases import versions

LINT = Path(lint.__file__).parent
_NODE = re.compile(r"ast\.|FunctionNode")
_TARGET = Target(sdk=versions()[-1])
_HEADS = {
    "main.py": [
        "from imperal_sdk import Extension\nfrom storage import load, save\nimport panels\n",
        "from imperal_sdk import Extension\nfrom storage import *\nimport panels\n",
        "from imperal_sdk import Extension\nfrom api import load, save\n",
    ],
    "storage.py": ["import json\nfrom api import clean\n", "from api import *\n", "import api\n"],
    "api.py": ["from imperal_sdk import ActionResult\n", "import json\n"],
    "panels.py": ["from main import ext\nfrom storage import load\n", "from main import *\n"],
}
"""Extensions as people write them, in parts: what a file imports, and what it defines."""
_PARTS = {
    "main.py": [
        'ext = Extension("notes", display_name="Notes", description="Keeps the notes of a user")\n',
        'ext = Extension("notes")\nTTL = 900\n',
        '@ext.tool("t")\nasync def t(ctx, key):\n    await save(ctx.cache, key)\n',
        '@ext.tool("t")\nasync def t(ctx, key="a b"):\n    return (await load(ctx, key)).a\n',
        '@ext.tool("t")\nasync def t(ctx):\n    return ctx.user.idd, await load(ctx)\n',
        '@ext.skeleton("s", ttl=60)\nasync def s(ctx):\n    return await load(ctx)\n',
        '@ext.skeleton("s", ttl=60)\nasync def s(ctx):\n    return {"n": await load(ctx)}\n',
    ],
    "storage.py": [
        'async def load(ctx, key="k"):\n    return await ctx.skeleton.get(key)\n',
        "async def load(ctx, key=None):\n    return clean(await ctx.store.get('notes', key))\n",
        "async def load(ctx, key=1):\n    return ctx.skeleton_data\n",
        "async def save(cache, key):\n    await cache.set(key, {'a': 1}, ttl_seconds=900)\n",
        "async def save(cache, key, ttl=9):\n    await cache.set(f'{key}', clean(key), ttl)\n",
    ],
    "api.py": [
        "def clean(x):\n    return x\n",
        "def clean(x):\n    return x.data.get('title')\n",
        "def clean(x, *, deep=False):\n    return {'x': x, 'at': object()}\n",
        "async def load(ctx):\n    ctx.cache.delete('old')\n    return ctx.log.info('x')\n",
        "async def save(cache, key): ...\n",
    ],
    "panels.py": [
        '@ext.panel("p")\nasync def p(ctx):\n    doc = await load(ctx)\n    return doc["title"]\n',
        '@ext.panel("p")\nasync def p(ctx, user):\n    return (await load(ctx, "x y")).data\n',
        "def helper(ctx):\n    return ctx.skeleton\n",
    ],
}


class _Author:
    """Edits an extension at random.

    Args:
        folder: of the extension.
        seed: of what is done.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder = folder
        self._random = random.Random(seed)  # noqa: S311 - a test
        self._texts: dict[str, list[str]] = {}
        for name in _PARTS:
            self._texts[name] = [_HEADS[name][0], *_PARTS[name][::2]]
            self._save(name)

    def edit(self) -> None:
        """Change, add or remove a body, a signature, an import or a file."""
        name = self._random.choice(list(_PARTS))
        parts = self._texts[name]
        match self._random.randrange(6):
            case 0:
                parts[0] = self._random.choice(_HEADS[name])
            case 1 if len(parts) > 1:
                parts.pop(self._random.randrange(1, len(parts)))
            case 2:
                (self._folder / name).unlink(missing_ok=True)
                return
            case 3:
                parts.append("def half(:\n" if "def half(:\n" not in parts else "\n")
            case _:
                parts[1:] = [part for part in parts[1:] if "half" not in part]
                parts.insert(self._random.randint(1, len(parts)), self._random.choice(_PARTS[name]))
        self._save(name)

    def _save(self, name: str) -> None:
        (self._folder / name).write_text("\n".join(self._texts[name]))


@pytest.mark.parametrize(
    "seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 20))]
)
def test_after_any_edit_findings_are_those_of_a_cold_run(tmp_path: Path, seed: int) -> None:
    """What a run found out of a file hangs on the others; only its tree goes to the next run."""
    author = _Author(tmp_path, seed)
    trees = KeptTrees()
    different: set[tuple[object, ...]] = set()
    for _ in range(25):
        author.edit()
        paths = sorted(tmp_path.glob("*.py"))
        opened = paths[: len(paths) // 2 + 1]
        for asked in ([tmp_path], opened):
            cold = check(asked, _TARGET)
            known = check(asked, _TARGET, trees=trees)
            assert cold.findings == known.findings
            assert cold.notes == known.notes
            different.add(tuple((it.path, it.code, it.span) for it in cold.findings))
    assert len(different) > 3


def _remembering() -> Iterator[ast.FunctionDef]:
    for path in LINT.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "@remembered" in text:
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.FunctionDef) and any(
                    ast.unparse(it).startswith("remembered") for it in node.decorator_list
                ):
                    yield node


def test_what_is_remembered_on_a_node_hangs_on_nothing_else() -> None:
    """A node outlives the run: what its tree alone does not say belongs to another subject."""
    told = {
        node.name: [ast.unparse(it.annotation) for it in node.args.args if it.annotation]
        for node in _remembering()
    }
    of_nodes = {name: kinds[1:] for name, kinds in told.items() if _NODE.match(kinds[0])}
    others = {kind for kinds in of_nodes.values() for kind in kinds}
    assert len(told) > 30
    assert of_nodes
    assert set() == others - {"str", "int", "bool"}


def _source(path: Path, text: str) -> SourceFile:
    return SourceFile(path, path.name, text.encode())


def test_a_tree_is_kept_while_the_text_is_the_same() -> None:
    """One node serves two runs; another text has other nodes."""
    trees = KeptTrees()
    place = Path("a.py")
    first = trees.parse(_source(place, "x = 1\n")).tree
    trees.settle()
    second = trees.parse(_source(place, "x = 1\n")).tree
    trees.settle()
    third = trees.parse(_source(place, "x = 2\n")).tree
    assert first is second
    assert first is not third


def test_two_extensions_of_one_run_do_not_share_a_tree() -> None:
    """What is found out of a file in one of them is not said in the other."""
    trees = KeptTrees()
    source = _source(Path("a.py"), "x = 1\n")
    trees.parse(source)
    trees.settle()
    assert trees.parse(source).tree is not trees.parse(source).tree


def test_what_was_read_last_is_kept() -> None:
    """A server that runs for hours keeps the trees of so much text, and no more."""
    trees = KeptTrees(most=12)
    texts = [_source(Path(name), "x = 1\n") for name in ("a", "b", "c")]
    before = []
    for source in texts:
        before.append(trees.parse(source).tree)
        trees.settle()
    after = [trees.parse(source).tree for source in texts]
    assert [False, True, True] == [one is other for one, other in zip(before, after, strict=True)]


def test_an_extension_goes_when_its_run_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trees that wait for the next run hold nothing of what this one found out."""
    made: list[weakref.ref[Project]] = []

    class Watched(Project):
        def __init__(self, *args: object) -> None:
            super().__init__(*args)  # pyright: ignore[reportArgumentType]
            made.append(weakref.ref(self))

    monkeypatch.setattr(extension_run, "Project", Watched)
    _Author(tmp_path, 0)
    trees = KeptTrees()
    assert check([tmp_path], _TARGET, trees=trees).findings
    assert [None] == [ref() for ref in made]
