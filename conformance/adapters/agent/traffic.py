"""Which connections of a process, and of what it started, lead beyond loopback; Linux only."""

from __future__ import annotations

import contextlib
import ipaddress
from pathlib import Path

_PROC = Path("/proc")
_REMOTE, _INODE = 2, 9  # columns of /proc/net/tcp


def departures(root: int) -> set[str]:
    """Return addresses and ports that descendants of a process are connected to just now.

    Args:
        root: its process id.
    """
    inodes = {inode for pid in _descendants(root) for inode in _sockets(pid)}
    found: set[str] = set()
    for name in ("tcp", "tcp6"):
        with contextlib.suppress(OSError):
            for line in (_PROC / "net" / name).read_text("ascii").splitlines()[1:]:
                columns = line.split()
                if columns[_INODE] in inodes and (far := _far(columns[_REMOTE])):
                    found.add(far)
    return found


def _descendants(root: int) -> set[int]:
    parents: dict[int, int] = {}
    for folder in _PROC.glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (folder / "stat").read_bytes().rpartition(b") ")[2].split()
            parents[int(folder.name)] = int(words[1])
    found = {root}
    while new := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= new
    return found


def _sockets(pid: int) -> set[str]:
    found: set[str] = set()
    with contextlib.suppress(OSError):  # it has ended, or is not ours to look into
        for entry in (_PROC / str(pid) / "fd").iterdir():
            with contextlib.suppress(OSError):
                target = str(entry.readlink())
                if target.startswith("socket:["):
                    found.add(target[8:-1])
    return found


def _far(remote: str) -> str:
    """Return an address and a port as people write them; empty if they are near, or none."""
    text, _, port = remote.partition(":")
    words = bytes.fromhex(text)
    packed = b"".join(words[at : at + 4][::-1] for at in range(0, len(words), 4))
    address = ipaddress.ip_address(packed)
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or address
    near = address.is_loopback or address.is_unspecified
    return "" if near else f"{address}:{int(port, 16)}"
