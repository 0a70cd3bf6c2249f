"""An environment's episode as bytes, sealed: JSON, and the tables within it. No rules."""

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import Any

from rungenv.aec_arguments import AGENTS
from rungenv.sealed import FOREIGN, seal, unseal
from rungenv.state import Kind
from rungenv.tables import Tables

_MAGIC = b"rungenv aec 1\n"
_FOREIGN = "the saved environment is not as save_state writes it"
_BY_AGENT = 4
"""The parts that tell something of every agent: two of rewards, and the two ways to be over."""


def to_bytes(tables: Tables, parts: Mapping[str, Any], infos: Mapping[str, Any]) -> bytes:
    """The tables, the infos without their masks, and other parts that JSON knows, as bytes."""
    state = {
        "tables": b64encode(tables.save_state()).decode(),
        "parts": dict(parts),
        "infos": {agent: _without_mask(info) for agent, info in infos.items()},
    }
    body = json.dumps(state).encode()
    return seal(_MAGIC, body)


def from_bytes(
    data: bytes, names: tuple[str, ...]
) -> tuple[Tables, dict[str, Any], dict[str, dict[str, Any]]]:
    """What `to_bytes` was given, the parts under these names; ValueError for any other bytes."""
    body = unseal(_MAGIC, data, "a saved environment")
    try:
        state = json.loads(body)
        parts = state["parts"]
        if tuple(parts) != names:
            raise ValueError("the saved environment is from another version: it has other parts")
        tables = Tables.load_state(b64decode(state["tables"]))
        infos = {agent: _restored(info) for agent, info in state["infos"].items()}
        is_sound = _is_sound(tables, parts, infos)
    except FOREIGN as error:
        raise ValueError(f"{_FOREIGN}: {error!r}") from None
    if not is_sound:
        raise ValueError(_FOREIGN)
    return tables, parts, infos


def _is_sound(tables: Tables, parts: dict[str, Any], infos: dict[str, Any]) -> bool:
    """Whether all is told of the agents that are left, and none has left before the end.

    A round in play has come to its end as well where an illegal action has terminated everyone.
    """
    left = parts["agents"]
    by_agent = [value for value in parts.values() if isinstance(value, dict)]
    return (
        len(tables) == 1
        and isinstance(left, list)
        and set(left) <= set(AGENTS)
        and (tables.seat[0] < 0 or left == list(AGENTS) or all(parts["terminations"].values()))
        and len(by_agent) == _BY_AGENT
        and all(set(value) == set(left) for value in (*by_agent, infos))
        and parts["agent_selection"] in AGENTS
    )


def _without_mask(info: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in info.items() if name != "action_mask"}


def _restored(info: dict[str, Any]) -> dict[str, Any]:
    """An info as it was before JSON, which knows no tuples and enums."""
    if info:
        info |= {"kind": Kind(info["kind"])}
        info |= {name: tuple(info[name]) for name in ("points", "kots")}
    return info
