"""What a player of an OpenSpiel game knows, as a text and as a tensor. No rules.

All of it comes from the views of the player's own seat: that of the present deal, and those of the
deals that were given up for new cards (R10.2), as they stood then.
"""

from typing import Any

import numpy as np
import pyspiel  # pyright: ignore[reportMissingImports]

from rungenv.actions import NEW_CARDS, action_name
from rungenv.bits import BIT, EMPTY, members
from rungenv.cards import card_name, cards_text
from rungenv.layout import FIELDS, N_FEATURES
from rungenv.rules import Rules
from rungenv.state import history_length
from rungenv.view import LAID, NOTHING, View
from rungenv.words import explain

_KINDS = LAID + 1  # of things done: the actions, and a card laid face down by another


class Observer:
    """Writes what a player knows into `tensor`, whose named parts are in `dict`.

    player (4,): which one it is. dealt (1,): what share of the pack is dealt. view (N_FEATURES,):
    the dense view, columns as in `rungenv.FIELDS`; while cards are dealt, just those of the first
    five that the player has. With perfect recall also: history (h, 66), the round's actions in
    order, each as 62 columns for what it was, the last for a card that another laid face down, and
    4 for the seat, relative to the player; given_up (k, 3, 52), of each deal that was given up for
    new cards the player's first five, all of its cards that it has seen, and the card turned up for
    the trump.
    """

    def __init__(self, rules: Rules, wanted: Any, params: dict[str, Any] | None) -> None:
        if params:
            raise ValueError(f"an observer of this game takes no parameters, not {params!r}")
        if not wanted.public_info or wanted.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError(
                "an observer of this game shows public_info and the private_info of a "
                f"SINGLE_PLAYER, not {wanted}"
            )
        self.recalls = wanted.perfect_recall
        shapes: dict[str, tuple[int, ...]]
        shapes = {"player": (4,), "dealt": (1,), "view": (N_FEATURES,)}
        if self.recalls:
            shapes["history"] = (history_length(rules), _KINDS + 4)
            if any(rules.new_cards):
                shapes["given_up"] = (sum(rules.new_cards), 3, 52)
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor = np.zeros(sum(sizes), np.float32)
        parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
        self.dict = {
            name: part.reshape(shape)
            for (name, shape), part in zip(shapes.items(), parts, strict=True)
        }

    def set_from(self, state: Any, player: int) -> None:
        """Write what the player knows in this state of a `rungenv.openspiel` game."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        self.dict["dealt"][0] = len(state.pack) / 52
        if state.table is not None:
            self.dict["view"][:] = state.table.dense(player)
        else:
            received = members(state.received(player))
            for name in ("hand", "first_five"):
                self.dict["view"][FIELDS[name].columns][received] = 1
        if self.recalls:
            views = [table.observe(player) for table in state.tables]
            for place, (seat, action) in enumerate(_history(state, views)):
                self.dict["history"][place, [action, _KINDS + (seat - player) % 4]] = 1
            for deal, view in enumerate(views[: len(state.given_up)]):
                known = (view.first_five[0], _seen(view), _set_of(view.turned_up[0]))
                for row, cards in enumerate(known):
                    self.dict["given_up"][deal, row, members(cards)] = 1

    def string_from(self, state: Any, player: int) -> str:
        """The same in words."""
        dealing = f"{len(state.pack)} cards dealt, {cards_text(state.received(player))} to me"
        if not self.recalls:
            if state.table is None:
                return f"seat {player} sees {dealing}"
            return explain(state.table.observe(player))
        views = [table.observe(player) for table in state.tables]
        lines = [f"player {player}", *map(_deal_text, views)]
        if state.table is None:
            lines.append(dealing)
        done = [f"{seat} {_name(action)}" for seat, action in _history(state, views)]
        return "\n".join([*lines, "  ".join(done)])


def _history(state: Any, views: list[View]) -> list[tuple[int, int]]:
    """What was done so far, in order: seats and actions, LAID for another's card face down."""
    if not views:
        return []
    entries = views[-1].history[0].tolist()
    done = [(entry >> 6, entry & 63) for entry in entries if entry & 63 != NOTHING]
    if state.table is None:
        done.append((state.given_up[-1].seat, NEW_CARDS))
    return done


def _name(action: int) -> str:
    return "lays a card" if action == LAID else action_name(action)


def _deal_text(view: View) -> str:
    """What a player knows of the cards of one deal, besides those that are played."""
    facts = [f"first five {cards_text(view.first_five[0])}; own {cards_text(_seen(view))}"]
    for name in ("turned_up", "my_face_down", "shown"):
        card = int(getattr(view, name)[0])
        if card >= 0:
            facts.append(f"{name} {card_name(card)}")
    return "; ".join(facts)


def _seen(view: View) -> np.uint64:
    """The cards of the player's own that it has seen: a set."""
    return view.hand[0] | view.played[0, 0] | _set_of(view.my_face_down[0])


def _set_of(card: int) -> np.uint64:
    return BIT[card] if card >= 0 else EMPTY
