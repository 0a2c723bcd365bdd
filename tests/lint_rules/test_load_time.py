"""Functions that run while the extension is loaded, and those that run later as well."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from fedcheck.lint.files.source import SourceFile
from fedcheck.lint.inference.project import Project
from fedcheck.lint.rules.extension.support.import_time import runs_only_while_loading
from fedcheck.lint.sdk.releases import versions
from fedcheck.lint.sdk.surface import surface
from fedcheck.lint.view import FileView, ProjectView

HEAD = "import abc\nfrom imperal_sdk import Extension\n\next = Extension('n')\n"
BOOT = "def boot():\n    import storage\n    return storage.x\n\n\n"
META = "class Meta(type):\n    def __new__(mcs, name, bases, ns):\n        import storage\n"
META += "        return super().__new__(mcs, name, bases, ns)\n\n\n"
BASE = "class Base:\n    def __init_subclass__(cls, **kw):\n        import storage\n"
BASE += "        super().__init_subclass__(**kw)\n\n\n"
PANEL = "\n\n@ext.panel('p')\nasync def p(ctx):\n    return "
LAZY = "class Lazy:\n    @staticmethod\n    def boot():\n        import storage\n"
LAZY += "        return storage\n    value = boot.__func__()\n"
KEPT = "class Lazy:\n    def __init__(self):\n        self.boot()\n    def boot(self):\n"
KEPT += "        import storage\n\n\n"
INIT = "class Lazy:\n    def __init__(self):\n        import storage\n\n\n"
ONLY = [
    BOOT + "START = boot()\n",
    BOOT + "def setup():\n    return boot()\n\n\nsetup()\n",
    BOOT
    + "def a():\n    return boot()\n\n\ndef b():\n    return a()\n\n\ndef c():\n    b()\n\n\nc()\n",
    BOOT + "def setup(deep=True):\n    boot()\n    if deep:\n        setup(False)\n\n\nsetup()\n",
    BOOT + "class Holder:\n    value = boot()\n",
    BOOT + "def f(x=boot()): ...\n",
    BOOT + "def setup():\n    class Holder:\n        value = boot()\n\n\nsetup()\n",
    "def boot(cls):\n    import storage\n    return cls\n\n\n@boot\nclass Holder: ...\n",
    LAZY,
    "class Lazy:\n    @classmethod\n    def boot(cls):\n        import storage\n\n\nLazy.boot()\n",
    KEPT + "Lazy()\n",
    INIT + "class Sub(Lazy): ...\n\n\nSub()\n",
    INIT + "Begin = Lazy\nBegin()\n",
    META + "class A(metaclass=Meta): ...\n\n\nclass B(A): ...\n",
    META + "class Deeper(Meta): ...\n\n\nclass A(metaclass=Deeper): ...\n",
    META + "A = Meta('A', (), {})\n",
    BASE + "class A(Base): ...\n",
    BASE + "class A(Base): ...\n\n\nB = type('B', (A,), {})\n",
    BASE + "def setup():\n    class A(Base): ...\n\n\nsetup()\n",
    "from late import boot as begin\n\n\ndef setup():\n    begin()\n\n\nsetup()\n",
    "import late\n\n\ndef setup():\n    late.boot()\n\n\nsetup()\n",
    BOOT + f"START = boot(){PANEL}abc.boot()\n",
    BOOT + "START = list(map(boot, [1]))\n",
    BOOT + "START = [*map(boot, [1])]\n",
    BOOT + "for _ in map(boot, [1]):\n    pass\n",
    BOOT + "def setup():\n    return tuple(filter(boot, [1]))\n\n\nsetup()\n",
]
LATER = [
    BOOT,
    BOOT + "def setup():\n    return boot()\n",
    BOOT + "def a():\n    boot()\n    b()\n\n\ndef b():\n    a()\n",
    BOOT + f"START = boot(){PANEL}boot()\n",
    BOOT + f"def setup():\n    return boot()\n\n\nsetup(){PANEL}setup()\n",
    BOOT + "def a():\n    boot()\n\n\ndef b():\n    boot()\n\n\na()\n",
    BOOT + "def setup():\n    boot()\n\n\nsetup()\nlater = [setup]\n",
    BOOT + "def setup():\n    return lambda: boot()\n\n\nsetup()\n",
    BOOT + "boot()\nlater = boot\n",
    BOOT + "START = map(boot, [1])\n",
    BOOT + f"START = list(map(boot, [1])){PANEL}list(map(boot, [1]))\n",
    BOOT + "START = list(map(abc.get, [boot]))\n",
    BOOT + "START = abc.list(map(boot, [1]))\n",
    BOOT + "START = (x for x in map(boot, [1]))\n",
    "@ext.panel('p')\ndef boot(ctx):\n    import storage\n\n\nboot(None)\n",
    "def setup():\n    @ext.panel('p')\n    def boot(ctx):\n        import storage\n\n\nsetup()\n",
    "def setup():\n    def boot():\n        import storage\n    return boot\n\n\nboot = setup()\n",
    f"{LAZY}{PANEL}Lazy.boot()\n",
    f"{KEPT}Lazy(){PANEL}Lazy()\n",
    f"{INIT}class Sub(Lazy): ...\n\n\nLazy(){PANEL}Sub()\n",
    f"{KEPT}Lazy(){PANEL}ctx.boot()\n",
    "class Lazy:\n    @property\n    def boot(self):\n        import storage\n\n\nLazy().boot\n",
    META,
    META + f"class A(metaclass=Meta): ...\n{PANEL}Meta('A', (), {{}})\n",
    META.replace("__new__", "__call__") + "class A(metaclass=Meta): ...\n",
    META + "class A(metaclass=Meta): ...\n\n\ndef later():\n    class B(A): ...\n",
    META.replace("(type)", "") + "class A: ...\n",
    BASE,
    BASE + "class A(Base): ...\n\n\ndef later():\n    class B(A): ...\n",
    BASE + f"class A(Base): ...\n{PANEL}type('B', (A,), {{}})\n",
    f"from late import boot as begin\n\nbegin(){PANEL}begin()\n",
    "from late import boot as begin\n\nbegin()\nlater = begin\n",
]
FILES = {"storage.py": "x = 1\n", "late.py": BOOT}


def _answers(root: Path, text: str) -> list[bool]:
    """Return what is said of each import of ``storage`` in a function."""
    files = {**FILES, "main.py": HEAD + text}
    sources = {root / name: SourceFile(root / name, name, files[name].encode()) for name in files}
    project = Project(root, sources, surface(versions()[-1]))
    extension = ProjectView(project)
    modules = [module for path in project.relevant if (module := project.module(path))]
    return [
        runs_only_while_loading(FileView(extension, module), node)
        for module in modules
        for node in module.nodes(ast.Import)
        if node.names[0].name == "storage" and module.function(node) is not None
    ]


@pytest.mark.parametrize("text", ONLY)
def test_it_runs_while_loading(tmp_path: Path, text: str) -> None:
    """All that runs it does so when the file is loaded, however many calls lead to it."""
    assert [True] == _answers(tmp_path, text)


@pytest.mark.parametrize("text", LATER)
def test_it_may_run_later(tmp_path: Path, text: str) -> None:
    """A handler, an unknown caller or nobody runs it, or it is handed on."""
    assert [False] == _answers(tmp_path, text)
