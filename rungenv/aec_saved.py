"""An environment's episode as bytes, with a checksum: JSON, and the tables within it. No rules."""

import hashlib
import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import Any

from rungenv.state import Kind
from rungenv.tables import Tables

_MAGIC = b"rungenv aec 1\n"
_DIGEST = hashlib.sha256().digest_size


def to_bytes(tables: Tables, parts: Mapping[str, Any], infos: Mapping[str, Any]) -> bytes:
    """The tables, the infos without their masks, and other parts that JSON knows, as bytes."""
    state = {
        "tables": b64encode(tables.save_state()).decode(),
        "parts": dict(parts),
        "infos": {agent: _without_mask(info) for agent, info in infos.items()},
    }
    body = json.dumps(state).encode()
    return _MAGIC + hashlib.sha256(body).digest() + body


def from_bytes(
    data: bytes, names: tuple[str, ...]
) -> tuple[Tables, dict[str, Any], dict[str, dict[str, Any]]]:
    """What `to_bytes` was given, the parts under these names; ValueError for any other bytes."""
    if not isinstance(data, bytes | bytearray):
        raise ValueError(f"a saved environment is bytes, not {type(data).__name__}")
    if not data.startswith(_MAGIC):
        raise ValueError("these bytes are no saved environment: they do not begin as one")
    digest, body = data[len(_MAGIC) :][:_DIGEST], data[len(_MAGIC) + _DIGEST :]
    if hashlib.sha256(body).digest() != digest:
        raise ValueError("the saved environment is damaged or cut short: its checksum is wrong")
    state = json.loads(body)
    if tuple(state.get("parts", ())) != names:
        raise ValueError("the saved environment is from another version: it has other parts")
    infos = {agent: _restored(info) for agent, info in state["infos"].items()}
    return Tables.load_state(b64decode(state["tables"])), state["parts"], infos


def _without_mask(info: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in info.items() if name != "action_mask"}


def _restored(info: dict[str, Any]) -> dict[str, Any]:
    """An info as it was before JSON, which knows no tuples and enums."""
    if info:
        info |= {"kind": Kind(info["kind"])}
        info |= {name: tuple(info[name]) for name in ("points", "kots")}
    return info
