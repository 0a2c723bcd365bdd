"""Which variables of our environment the process of a kernel gets.

Whoever judges may hold secrets of the next step, such as the key that signs. A kernel gets paths,
the locale and what language run-times read, and what its user names; the rest is withheld.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

from .bearer import TOKEN_VARIABLE

_NAMES = frozenset(
    [
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "SHELL",
        "PWD",
        "TMPDIR",
        "TEMP",
        "TMP",
        "LANG",
        "LANGUAGE",
        "TZ",
        "TERM",
        "COLUMNS",
        "LINES",
        "NO_COLOR",
        "SYSTEMROOT",
        "SYSTEMDRIVE",
        "WINDIR",
        "COMSPEC",
        "PATHEXT",
        "APPDATA",
        "LOCALAPPDATA",
        "PROGRAMDATA",
        "USERPROFILE",
        "PROGRAMFILES",
        "VIRTUAL_ENV",
        "NODE_PATH",
        "NODE_OPTIONS",
        "NVM_DIR",
        "JAVA_HOME",
        "CLASSPATH",
        "GOPATH",
        "GOROOT",
        "GOCACHE",
        "CARGO_HOME",
        "RUSTUP_HOME",
        "RUST_BACKTRACE",
        "GEM_HOME",
        "GEM_PATH",
        "RUBYLIB",
        "PERL5LIB",
        "DOTNET_ROOT",
        "DOTNET_CLI_HOME",
        "LD_LIBRARY_PATH",
        "LD_PRELOAD",
        "DYLD_LIBRARY_PATH",
        "SSL_CERT_FILE",
        "SSL_CERT_DIR",
        "MALLOC_ARENA_MAX",
        "OMP_NUM_THREADS",
        "FEDCHECK_NO_PLUGINS",
    ]
)
_PREFIXES = ("LC_", "XDG_", "PYTHON", "CONDA_", "PYENV_")
_SECRET = re.compile(rf"{TOKEN_VARIABLE}|TOKEN|SECRET|PASSW|CREDENTIAL|API_?KEY|_KEY")
"""In the name of a variable that may hold one, whatever its beginning."""


def passed(
    wanted: Iterable[str] = (), environment: Mapping[str, str] = os.environ
) -> dict[str, str]:
    """Return the variables that the process of a kernel gets.

    Args:
        wanted: names that the user adds, by ``--pass-env`` or ``pass_env``.
        environment: ours.
    """
    named = set(wanted)
    return {name: value for name, value in environment.items() if _goes(name, named)}


def withheld(wanted: Iterable[str] = (), environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return the names of the variables that a kernel does not get."""
    return sorted(environment.keys() - passed(wanted, environment))


def _goes(name: str, wanted: set[str]) -> bool:
    if name in wanted:
        return True
    usual = name.upper()
    return usual in _NAMES or (usual.startswith(_PREFIXES) and not _SECRET.search(usual))
