"""Signed envelopes (DSSE) with Ed25519, and where keys come from.

The bytes that are signed are those of the payload and of its type; nothing is parsed before
its signature has been found good. Keys are never printed.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from ...invariants.vocabulary.codec import decode, to_json
from ...invariants.vocabulary.errors import DocumentError, UsageError
from ..console.escape import printable
from ..console.files import reading

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )

PASSWORD_VARIABLE = "FEDCHECK_KEY_PASSWORD"
IN_TOTO = "application/vnd.in-toto+json"

K = TypeVar("K")


class Signature(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One signature: a hint at the key, and the signature in base64."""

    keyid: str = ""
    sig: str


class Envelope(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A signed payload: its type, its bytes in base64, and the signatures."""

    payload: str
    payloadType: str  # noqa: N815  the name in the specification
    signatures: tuple[Signature, ...]


def signed(payload: bytes, payload_type: str, key: Ed25519PrivateKey) -> bytes:
    """Return the canonical bytes of an envelope with one signature."""
    signature = key.sign(_encoding(payload_type, payload))
    return envelope_bytes(
        Envelope(
            payload=_base64(payload),
            payloadType=payload_type,
            signatures=(Signature(keyid=key_id(key.public_key()), sig=_base64(signature)),),
        )
    )


def envelope_bytes(envelope: Envelope) -> bytes:
    """Return an envelope in its canonical bytes."""
    return to_json(envelope).encode("ascii") + b"\n"


def read_envelope(data: bytes, where: str) -> Envelope:
    """Read an envelope; nothing in it is trusted yet.

    Raises:
        DocumentError: it is none, or something in it is not encoded as we encode it.
    """
    envelope = decode(data, Envelope, where)
    _bytes(envelope.payload, f"{where}: payload")
    for number, signature in enumerate(envelope.signatures):
        _bytes(signature.sig, f"{where}: signatures[{number}].sig")
    return envelope


def verified_payload(
    envelope: Envelope, payload_type: str, key: Ed25519PublicKey, where: str
) -> bytes:
    """Return the payload of an envelope that the key has signed.

    Raises:
        DocumentError: the type is another one, or no signature is good; says which.
    """
    if envelope.payloadType != payload_type:
        told = printable(envelope.payloadType, limit=80)
        raise DocumentError(f"{where}: payloadType is {told!r}, not {payload_type!r}")
    payload = _bytes(envelope.payload, f"{where}: payload")
    text = _encoding(payload_type, payload)
    for number, signature in enumerate(envelope.signatures):
        if _good(key, _bytes(signature.sig, f"{where}: signatures[{number}].sig"), text):
            return payload
    raise DocumentError(
        f"{where}: none of {len(envelope.signatures)} signatures is by the key "
        f"{key_id(key)}: the payload was changed, or somebody else signed it"
    )


def key_id(key: Ed25519PublicKey) -> str:
    """Return the SHA-256 of a public key (SubjectPublicKeyInfo, DER), in hexadecimal digits."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    der = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return hashlib.sha256(der).hexdigest()


def private_key(source: str) -> Ed25519PrivateKey:
    """Return a private key from a PEM file, or from ``env:VARIABLE``.

    Raises:
        UsageError: there is none, or it is no Ed25519 key.
    """
    require_cryptography()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    password = os.environ.get(PASSWORD_VARIABLE, "").encode() or None
    data = _key_data(source)
    if b"ENCRYPTED" not in data:
        password = None
    return _loaded(
        lambda: load_pem_private_key(data, password), Ed25519PrivateKey, "private", source
    )


def public_key(source: str) -> Ed25519PublicKey:
    """Return a public key from a PEM file, or from ``env:VARIABLE``. Errors as above."""
    require_cryptography()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    data = _key_data(source)
    return _loaded(lambda: load_pem_public_key(data), Ed25519PublicKey, "public", source)


def new_key() -> tuple[bytes, bytes]:
    """Return a new private and its public key, as PEM.

    The private one is encrypted if the environment has ``FEDCHECK_KEY_PASSWORD``.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import (
        BestAvailableEncryption,
        Encoding,
        NoEncryption,
        PrivateFormat,
        PublicFormat,
    )

    password = os.environ.get(PASSWORD_VARIABLE, "").encode()
    secrecy = BestAvailableEncryption(password) if password else NoEncryption()
    key = Ed25519PrivateKey.generate()
    return (
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, secrecy),
        key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
    )


def require_cryptography() -> None:
    """Raise UsageError where the package that signs is not installed."""
    from importlib.util import find_spec

    if find_spec("cryptography") is None:
        raise UsageError("cryptography is not installed; `pip install 'fedcheck[sign]'`")


def _key_data(source: str) -> bytes:
    if source.startswith("env:"):
        name = source.removeprefix("env:")
        if not os.environ.get(name):
            raise UsageError(f"the environment has no {printable(name)}; put the PEM text there")
        return os.environ[name].encode("utf-8", "surrogateescape")
    with reading(source, "`fedcheck keygen` makes a pair"):
        return Path(source).read_bytes()


def _loaded(load: Callable[[], object], kind: type[K], name: str, source: str) -> K:
    key: object = None
    why = f"is no {name} Ed25519 key in PEM"
    try:
        key = load()
    except TypeError:
        why = f"is encrypted; put its password into {PASSWORD_VARIABLE}"
    except Exception:  # noqa: BLE001, S110  what a parser says of a secret is not repeated
        pass
    if not isinstance(key, kind):
        raise UsageError(f"{printable(source)}: {why}; `fedcheck keygen` makes a pair")
    return key


def _good(key: Ed25519PublicKey, signature: bytes, text: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature

    try:
        key.verify(signature, text)
    except InvalidSignature:
        return False
    return True


def _encoding(payload_type: str, payload: bytes) -> bytes:
    """Return what is signed: DSSE's pre-authentication encoding."""
    kind = payload_type.encode()
    return b" ".join(
        (b"DSSEv1", str(len(kind)).encode(), kind, str(len(payload)).encode(), payload)
    )


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _bytes(text: str, where: str) -> bytes:
    """Return what is encoded; only one text stands for some bytes, so that none can be varied."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise DocumentError(f"{where}: is not base64") from None
    if _base64(data) != text:
        raise DocumentError(f"{where}: is not base64 as RFC 4648 writes it, padding bits are set")
    return data
