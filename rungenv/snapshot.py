"""Tables as bytes and back: a header in JSON and the arrays, sealed. No rules."""

import dataclasses
import json
import math
from typing import TypeVar

import numpy as np

from rungenv.rules import Rules
from rungenv.sealed import FOREIGN, seal, unseal
from rungenv.state import COLUMNS, State

VERSION = 2
_MAGIC = b"rungenv tables\n"
AnyState = TypeVar("AnyState", bound=State)


def to_bytes(state: State) -> bytes:
    """All of a State, self-describing: version, rules, columns, deals, history."""
    arrays = {name: np.ascontiguousarray(getattr(state, name)) for name in COLUMNS}
    arrays |= {"deal": state.deal, "history": state.history}
    if state.redeals is not None:
        arrays["redeals"] = state.redeals
    header = {
        "version": VERSION,
        "rules": dataclasses.asdict(state.rules),
        "arrays": {name: [a.dtype.str, list(a.shape)] for name, a in arrays.items()},
    }
    head = json.dumps(header).encode()
    body = len(head).to_bytes(4, "little") + head
    body += b"".join(np.ascontiguousarray(a).tobytes() for a in arrays.values())
    return seal(_MAGIC, body)


def from_bytes(kind: type[AnyState], data: bytes) -> AnyState:
    """The State that `to_bytes` wrote; ValueError says what is wrong with bytes it did not."""
    body = unseal(_MAGIC, data, "saved tables")
    try:
        return _restored(kind, body)
    except FOREIGN as error:
        raise ValueError(f"the saved tables are not as save_state writes them: {error!r}") from None


def _restored(kind: type[AnyState], body: bytes) -> AnyState:
    start = 4 + int.from_bytes(body[:4], "little")
    header = json.loads(body[4:start])
    if header["version"] != VERSION:
        raise ValueError(
            f"the saved tables have version {header['version']}; this rungenv reads {VERSION}"
        )
    arrays = {}
    for name, (dtype, shape) in header["arrays"].items():
        count, kind_of = math.prod(shape), np.dtype(dtype)
        if not 0 <= count * kind_of.itemsize <= len(body) - start:
            raise ValueError(f"the saved tables' {name} is not {shape} {dtype}: there is less")
        arrays[name] = np.frombuffer(body, kind_of, count, start).reshape(shape)
        start += arrays[name].nbytes
    n = len(arrays["deal"]) if arrays["deal"].size else 0
    state = kind(Rules(**header["rules"]), n)
    if "redeals" in arrays:
        redeals = arrays.pop("redeals")
        if redeals.dtype != np.int8 or redeals.shape != (n, *redeals.shape[1:2], 4, 13):
            raise ValueError(f"the saved tables' redeals are {redeals.shape} {redeals.dtype}")
        state.redeals = redeals.copy()
    expected = {*COLUMNS, "deal", "history"}
    if set(arrays) != expected or start != len(body):
        raise ValueError("the saved tables have other columns than this rungenv's")
    for name, array in arrays.items():
        column = getattr(state, name)
        if array.shape != column.shape or array.dtype != column.dtype:
            raise ValueError(f"the saved tables' {name} is {array.shape} {array.dtype}")
        column[...] = array
    return state
