"""A record as one line of JSON, which a person can read too.

    {"version": 1, "game": "double_sar", "rules": {"no_late_pickup": true},
     "agents": ["greedy", "random", "greedy", "random"], "seed": 7, "table": 0, "round": 0,
     "layout": 1, "rounds": [...]}

`rules` has only what differs from the game's own; `start` is there when the match had begun
before. Each of the rounds is

    {"dealer": 3,
     "deals": [["9C TH 8S QC KD  KH 2S 4S 9D  6C 7D 5H JH", three more]],
     "hands": ["S 842 H KJT5 D K97 C Q96", three more],
     "opening": "0 PASS  2 CALL_S",
     "tricks": ["0 AH  1 2H  2 3H  3 6H", ...],
     "result": {"winner": 0, "kind": "WIN", "tricks": [7, 5], "points": [1, 0], "kots": [0, 0]}}

A deal has for each seat its cards in the order received, in packets of 5, 4 and 4; `hands` has the
last of the deals once more by suits, for the eye. Moves are a seat and its action; those of the
play stand trick by trick. points and kots are those of the match after the round, and
`match_winner` is there when it decided the match. A round that goes on has no result. `layout` is
`rungenv.LAYOUT_VERSION` of the views that the agents were given.
"""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from rungenv.actions import CALL, action_name, parse_action
from rungenv.cards import RANKS, SUITS, card_name, parse_card
from rungenv.checks import checked_hands
from rungenv.layout import FIELDS, LAYOUT_VERSION
from rungenv.record import STANDING, Deal, Move, Record, Round, first_standing, four_names
from rungenv.record_json import check_keys, count_of, field_of
from rungenv.rules import Rules, nearest_game, variant

VERSION = 1
"""Of the format; a reader refuses any other."""

_PACKETS = (slice(0, 5), slice(5, 9), slice(9, 13))
_RECORD_KEYS = (
    *("version", "game", "rules", "agents", "start", "seed", "table", "round", "layout", "rounds"),
)
_ROUND_KEYS = ("dealer", "deals", "hands", "opening", "tricks", "result")


def record_line(record: Record) -> str:
    """A record as a line, without its end."""
    game, changed = nearest_game(record.rules)
    data: dict[str, Any] = {"version": VERSION, "game": game}
    if changed:
        data["rules"] = changed
    if record.agents:
        data["agents"] = list(record.agents)
    if record.start:
        data["start"] = record.start
    if record.seed is not None:
        data["seed"] = record.seed
    data |= {"table": record.table, "round": record.round, "layout": record.layout}
    data["rounds"] = [_round_data(round) for round in record.rounds]
    return json.dumps(data, ensure_ascii=False)


def parse_record(line: str) -> Record:
    """The record of a line; ValueError says what in it cannot be read. It is not yet verified."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"no JSON: {error}") from None
    check_keys("a record", data, _RECORD_KEYS)
    version = field_of("a record", data, "version", int)
    if version != VERSION:
        raise ValueError(f"the record has version {version}; this rungenv reads {VERSION}")
    changed = field_of("a record", data, "rules", dict, {})
    rules = variant(field_of("a record", data, "game", str), **changed)
    agents = four_names(field_of("a record", data, "agents", list, []))
    rounds = field_of("a record", data, "rounds", list)
    if not rounds:
        raise ValueError("rounds must have one at least")
    numbers = {
        key: count_of("a record", data, key, 2**63 - 1) for key in ("seed", "table", "round")
    }
    return Record(
        rules=rules,
        rounds=tuple(_round(f"round {i + 1}", round) for i, round in enumerate(rounds)),
        agents=agents,
        start=_start(rules, field_of("a record", data, "start", dict, {})),
        seed=numbers["seed"],
        table=numbers["table"] or 0,
        round=numbers["round"] or 0,
        layout=_layout(data),
    )


def _layout(data: dict[str, Any]) -> int:
    """The layout of the views: any up to the present one, as the moves do not depend on it."""
    layout = field_of("a record", data, "layout", int)
    if not 1 <= layout <= LAYOUT_VERSION:
        raise ValueError(
            f"the record's views have layout {layout}; this rungenv knows 1 to {LAYOUT_VERSION}"
        )
    return layout


def hand_text(cards: Sequence[int]) -> str:
    """Cards by suits, high cards first.

    >>> hand_text([51, 39, 0])
    'S A2 H - D - C 2'
    """
    held = [[card % 13 for card in cards if card // 13 == suit] for suit in range(4)]
    ranks = ["".join(RANKS[rank] for rank in sorted(lane, reverse=True)) for lane in held]
    return " ".join(f"{SUITS[suit]} {ranks[suit] or '-'}" for suit in (3, 2, 1, 0))


# Rules, and how the match stood.


def _start(rules: Rules, start: dict[str, Any]) -> dict[str, list[int]]:
    check_keys("start", start, STANDING)
    for key, usual in first_standing(rules).items():
        counts = start.get(key, usual)
        whole = isinstance(counts, list) and all(type(count) is int for count in counts)
        most = _MOST[key]
        if not whole or len(counts) != len(usual) or not all(0 <= n <= most for n in counts):
            words = f"{len(usual)} counts from 0 to {most}"
            raise ValueError(f"start: {key} must be {words}, not {counts!r}")
    left, at_first = start.get("new_cards_left", rules.new_cards), rules.new_cards
    if any(count > most for count, most in zip(left, at_first, strict=True)):
        raise ValueError(f"start: new_cards_left must be at most {list(at_first)}, not {left!r}")
    if max(start.get(str(rules.scoring), (0, 0))) >= rules.target:
        raise ValueError(f"start: the match, to {rules.target} {rules.scoring}, was won before it")
    if min(start.get("streak", (0, 0))) > 0:
        raise ValueError(f"start: one team has won the last round, not both: {start['streak']}")
    return start


# Rounds.


def _round_data(round: Round) -> dict[str, Any]:
    data: dict[str, Any] = {
        "dealer": round.dealer,
        "deals": [[_received_text(cards) for cards in deal] for deal in round.deals],
        "hands": [hand_text(cards) for cards in round.deals[-1]],
        "opening": _moves_text(round.moves[: round.play_from]),
        "tricks": [_moves_text(trick) for trick in by_trick(round)],
    }
    if round.result is not None:
        data["result"] = round.result
    return data


def _round(where: str, data: Any) -> Round:
    check_keys(where, data, _ROUND_KEYS)
    deals = tuple(_deal(where, deal) for deal in field_of(where, data, "deals", list))
    if not deals:
        raise ValueError(f"{where}: deals must have one at least")
    hands = [hand_text(cards) for cards in deals[-1]]
    if field_of(where, data, "hands", list, hands) != hands:
        raise ValueError(f"{where}: hands are not those of the last deal, which are {hands}")
    opening = _moves(where, field_of(where, data, "opening", str, ""))
    tricks = [_moves(where, trick) for trick in field_of(where, data, "tricks", list)]
    dealer = count_of(where, data, "dealer", 3)
    if dealer is None:
        raise ValueError(f"{where}: dealer is missing")
    round = Round(
        dealer=dealer,
        deals=deals,
        moves=tuple(move for part in (opening, *tricks) for move in part),
        play_from=len(opening),
        result=field_of(where, data, "result", dict, None),
    )
    if by_trick(round) != tricks:
        raise ValueError(f"{where}: tricks must have four cards each but for the last")
    return round


def by_trick(round: Round) -> list[list[Move]]:
    """The moves of the play, trick by trick; the last one may not be complete."""
    tricks: list[list[Move]] = []
    cards = 4
    for seat, action in round.moves[round.play_from :]:
        if cards == 4:
            tricks.append([])
            cards = 0
        tricks[-1].append((seat, action))
        cards += action < CALL  # a REVEAL belongs to the card that follows it
    return tricks


_MOST = {
    "points": np.iinfo(np.int16).max // 2,  # more than any view shows, with room for what follows
    **{key: FIELDS[key].high for key in ("kots", "streak", "new_cards_left")},
}
"""What a match can stand at, by the names of STANDING."""


def _received_text(cards: Sequence[int]) -> str:
    return "  ".join(" ".join(map(card_name, cards[packet])) for packet in _PACKETS)


def _deal(where: str, texts: Any) -> Deal:
    is_deal = isinstance(texts, list) and len(texts) == 4
    if not is_deal or not all(isinstance(text, str) for text in texts):
        raise ValueError(f"{where}: a deal must be the cards of four seats, not {texts!r}")
    deal = [[parse_card(word) for word in text.split()] for text in texts]
    for seat, cards in enumerate(deal):
        if len(cards) != 13:
            raise ValueError(f"{where}: seat {seat} is dealt {len(cards)} cards, not 13")
    try:
        checked_hands(np.array([deal]), name="deals")
    except ValueError as error:
        raise ValueError(f"{where}: {str(error).removeprefix('deals, table 0: ')}") from None
    return tuple(map(tuple, deal))


def _moves_text(moves: Sequence[Move]) -> str:
    return "  ".join(f"{seat} {action_name(action)}" for seat, action in moves)


def _moves(where: str, text: Any) -> list[Move]:
    if not isinstance(text, str):
        raise ValueError(f"{where}: moves are written as '0 AH  1 2H', not {text!r}")
    words = text.split()
    seats, names = words[0::2], words[1::2]
    if len(seats) != len(names) or not all(seat in ("0", "1", "2", "3") for seat in seats):
        raise ValueError(f"{where}: moves are written as '0 AH  1 2H', not {text!r}")
    return [(int(seat), parse_action(name)) for seat, name in zip(seats, names, strict=True)]
