"""Views and actions as lines of text, for players that are programs of their own.

PROTOCOL.md describes the lines for who writes such a program. What is in a request follows from
`rungenv.layout`: whatever a view holds, in the words that people use, and nothing that it lacks.
"""

import dataclasses
import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import numpy as np

from rungenv.actions import ACTION_NAMES, N_ACTIONS, action_name, action_names, parse_action
from rungenv.bits import count, members, unpack
from rungenv.cards import CARD_NAMES, SUITS
from rungenv.layout import LAYOUT_VERSION, SETS, SMALLS, Form, Part
from rungenv.rules import Rules
from rungenv.state import Phase
from rungenv.view import LAID, NOTHING, View

VERSION = 1
"""Of the protocol; the first line in each direction names it."""

GREETING = f"rung {VERSION}"
"""How a program's first line begins; what comes after it is the program's own."""

SEEDS = 2**31
"""The seed of a request is less than this."""

_BLOCK = 256
"""Rows that are put in words at a time: the program can begin before the rest are."""

PARTS = tuple(
    part
    for part in SETS + SMALLS
    if not part.name.endswith(("_set", "_sets")) and not part.name.startswith("legal_")
)
"""The parts of a view that a request has under their own names; others say one of these again."""


def hello(seconds: float, megabytes: int) -> bytes:
    """The first line that a program is sent: the versions, and what it may use (0: no limit)."""
    facts = {
        "protocol": VERSION,
        "layout": LAYOUT_VERSION,
        "seconds": seconds,
        "megabytes": megabytes,
    }
    return _line(json.dumps(facts, separators=(",", ":")))


def requests(view: View, seeds: Sequence[int], first: int = 0) -> Iterator[bytes]:
    """A line for each row of a view, ends of lines included.

    seeds: for each row, what the program is to draw its chance from. first: the first row's id.
    """
    for start in range(0, len(view), _BLOCK):
        rows = slice(start, start + _BLOCK)
        yield from _block(view.take(rows), seeds[rows], first + start)


def reply_action(reply: str, legal: int) -> int:
    """The action of a reply, by name or number; ValueError for any but those in the set `legal`."""
    action = _action(reply)
    if not legal >> action & 1:
        raise ValueError(f"{action_name(action)} is not legal; legal: {action_names(legal)}")
    return action


@cache
def _action(reply: str) -> int:
    if reply.isascii() and reply.isdigit() and int(reply) < N_ACTIONS:
        return int(reply)
    return parse_action(reply)


def _block(view: View, seeds: Sequence[int], first: int) -> Iterator[bytes]:
    columns: dict[str, Iterable[str]] = {
        "id": map(str, range(first, first + len(view))),
        "seed": map(str, seeds),
        "seat": map(str, view.seat.tolist()),
        "legal": _names(view.legal, ACTION_NAMES),
    }
    for part in PARTS:
        columns[part.name] = _spelled(part, getattr(view, part.name))
    columns["history"] = _histories(view)
    columns["rules"] = [_rules(view.rules)] * len(view)
    template = "{" + ",".join(f'"{name}":%s' for name in columns) + "}"
    return (_line(template % row) for row in zip(*columns.values(), strict=True))


def _line(text: str) -> bytes:
    return text.encode("ascii") + b"\n"


@cache
def _rules(rules: Rules) -> str:
    return json.dumps(dataclasses.asdict(rules), separators=(",", ":"))


def _spelled(part: Part, values: np.ndarray) -> list[str]:
    """A part of a view in JSON, row by row; of one that has several, by seat or team, a list."""
    flat = values.ravel()
    if part.form == Form.SET:
        texts = _names(flat, CARD_NAMES, high_first=True)
    else:
        words = _words(part)
        texts = [words[value] for value in flat.tolist()]
    if values.ndim == 1:
        return texts
    width = values.shape[1]
    return [f"[{','.join(texts[i : i + width])}]" for i in range(0, len(texts), width)]


@cache
def _words(part: Part) -> list[str]:
    """What each value of a small part is in JSON; -1, which nobody and nothing is, stands last."""
    values = range(128)
    if part.name == "phase":
        return [_quoted(phase.name) for phase in Phase]
    if part.name in ("led", "trump"):
        return [*map(_quoted, SUITS), "null"]
    if part.name == "voids":
        return [json.dumps([SUITS[suit] for suit in members(value)]) for value in range(16)]
    if part.form == Form.CARD:
        return [*map(_quoted, CARD_NAMES), "null"]
    if part.form == Form.BITS:
        return ["false", "true"]
    return [*map(str, values), "null"]


def _names(words: np.ndarray, names: Sequence[str], high_first: bool = False) -> list[str]:
    """Sets as lists of names, in order of their numbers or the other way round."""
    width = len(names)
    order = slice(None, None, -1) if high_first else slice(None)
    places = np.nonzero(unpack(words, width)[:, order])[1].tolist()
    quoted = [_quoted(name) for name in names][order]
    said = [quoted[place] for place in places]
    ends = np.cumsum(count(words), dtype=np.int64).tolist()
    starts = [0, *ends]
    return [f"[{','.join(said[a:b])}]" for a, b in zip(starts, ends, strict=False)]


def _histories(view: View) -> list[str]:
    """The actions so far as lists of pairs: whose, counted from the viewer, and which."""
    turned = view.history - (view.seat.astype(np.uint8) << 6)[:, None]
    lengths = (view.history_actions() != NOTHING).sum(axis=1).tolist()
    rows = zip(turned.tolist(), lengths, strict=True)
    return [f"[{','.join([_PAIRS[entry] for entry in row[:n]])}]" for row, n in rows]


def _quoted(name: str) -> str:
    return f'"{name}"'


_PAIRS = [
    f"[{entry >> 6},{_quoted('LAID' if entry & 63 == LAID else action_name(entry & 63))}]"
    for entry in range(256)
]
"""What an entry of a history is in JSON, once its seat counts from the viewer."""
