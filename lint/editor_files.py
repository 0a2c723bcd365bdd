"""The files that an editor watches for ``fedcheck lsp``."""

from __future__ import annotations

from lsprotocol import types

from .cache.dependencies import SETTLING

_WATCHED = ("**/*.py", *(f"**/{name}" for name in SETTLING))
"""What the findings of an open document follow from besides its text."""
WATCHING = types.RegistrationParams(
    registrations=[
        types.Registration(
            id="fedcheck-files",
            method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
            register_options=types.DidChangeWatchedFilesRegistrationOptions(
                watchers=[types.FileSystemWatcher(glob_pattern=name) for name in _WATCHED]
            ),
        )
    ]
)
"""Asks a client to tell when one of them changes."""


def can_watch(client: types.ClientCapabilities) -> bool:
    """Tell whether a client may be asked."""
    watching = client.workspace and client.workspace.did_change_watched_files
    return bool(watching and watching.dynamic_registration)
