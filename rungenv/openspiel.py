"""The games in OpenSpiel: `import rungenv.openspiel`, then `pyspiel.load_game("python_rung_...")`.

    import pyspiel
    import rungenv.openspiel
    game = pyspiel.load_game("python_rung_double_sar(no_late_pickup=True,dealer=1)")

One round is a game, begun with no points on either side. Parameters are the fields of
`rungenv.Rules`, starting from the game's own, `new_cards` as four counts in a text ("1 0 1 0"); and
`dealer`, by default 3, so that player 0 is the eldest hand. Players are seats, actions those of
`rungenv.actions`. What the round pays a team is what the other team loses.

The deal is by chance nodes, 52 of them, each any card that is left: the pack from its top card on,
dealt out 5, 4 and 4 at a time from the eldest hand (R1.3). NEW_CARDS (R10.2) leads to 52 more.
While cards are dealt a player has seen no more than its first five of them.

`resample_from_infostate` draws from `rungenv.belief.worlds`: all that a player, to act or not,
cannot tell from the truth is equally likely. OpenSpiel's searches in Python use it
(`open_spiel.python.algorithms.ismcts`); those in C++ do not see methods written in Python.
"""

from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import Any

import numpy as np

from rungenv.actions import NEW_CARDS, action_name, action_names
from rungenv.belief import worlds
from rungenv.bits import members
from rungenv.cards import PACK, card_name
from rungenv.checks import checked_column
from rungenv.dealing import deal_packs
from rungenv.kernel import IllegalAction, step
from rungenv.render import table_text
from rungenv.rules import PRESETS, Rules, variant
from rungenv.score import most_paid
from rungenv.state import history_length
from rungenv.table import Table
from rungenv.tables import deal_hands

try:
    import pyspiel  # pyright: ignore[reportMissingImports]
except ImportError:
    raise ImportError("rungenv.openspiel needs OpenSpiel: pip install open_spiel") from None

from rungenv.openspiel_observer import Observer

PREFIX = "python_rung_"
"""A game's name in OpenSpiel is this and its own."""


class Game(pyspiel.Game):
    """One of the six games, or another with the same axes; `rules` and `dealer` say which."""

    name: str  # in VARIANTS; set by `register`
    kind: Any  # its pyspiel.GameType

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        options = dict(params or {})
        self.dealer = int(checked_column("dealer", options.pop("dealer", 3), 1, 0, 3)[0])
        if "new_cards" in options:
            options["new_cards"] = _counts(options["new_cards"])
        self.rules = variant(self.name, **options)
        self.deals = 1 + sum(self.rules.new_cards)  # at most
        most = most_paid(self.rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=61,
            max_chance_outcomes=52,
            num_players=4,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=history_length(self.rules),
        )
        super().__init__(self.kind, info, params or {})

    def new_initial_state(self) -> "State":
        """Before the first card is dealt."""
        return State(self)

    def max_chance_nodes_in_history(self) -> int:
        """52 for each deal that there can be."""
        return 52 * self.deals

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> Observer:
        """What writes observations, and information states with perfect recall."""
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self.rules, wanted, params)

    def hands(self, pack: bytes) -> np.ndarray:
        """A pack dealt out, or what there is of it: (4, 13) int8 in the order received, else -1."""
        cards = np.full((1, 52), -1, np.int8)
        cards[0, : len(pack)] = list(pack)
        return deal_packs(cards, np.array([self.dealer]))[0]

    def pack_of(self, hands: np.ndarray) -> list[int]:
        """The pack that is dealt out to these hands, from its top card on."""
        places = self.hands(bytes(range(52)))
        return hands.ravel()[np.argsort(places, axis=None)].tolist()


class State(pyspiel.State):
    """A round of a Game, from its first card dealt to its result."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.dealt = b""  # the cards of all deals, 52 to a deal, from the top of each pack
        self.table: Table | None = None  # None while cards are dealt
        self.given_up: list[Table] = []  # tables as they stood before NEW_CARDS

    @property
    def pack(self) -> bytes:
        """The pack of the present deal, or what is dealt of it."""
        return self.dealt[52 * len(self.given_up) :]

    @property
    def tables(self) -> list[Table]:
        """The tables of all deals: those given up, and the present one unless it is being dealt."""
        return self.given_up if self.table is None else [*self.given_up, self.table]

    def received(self, player: int) -> int:
        """Those of its first five cards that a player has received of this pack: a set."""
        cards = self.get_game().hands(self.pack)[player, :5].tolist()
        return _set_of(card for card in cards if card >= 0)

    def current_player(self) -> int:
        """The seat to act, or that chance is, or that nobody is any more."""
        if self.table is None:
            return pyspiel.PlayerId.CHANCE
        return self.table.seat if self.table.seat >= 0 else pyspiel.PlayerId.TERMINAL

    def is_terminal(self) -> bool:
        """Whether the round is over."""
        return self.table is not None and self.table.seat < 0

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Each card that is still in the pack, all equally likely."""
        left = members(int(PACK) & ~_set_of(self.pack))
        return [(card, 1 / len(left)) for card in left]

    def _legal_actions(self, player: int) -> list[int]:
        if self.table is None or player != self.table.seat:
            return []
        return members(self.table.legal_set)

    def _apply_action(self, action: int) -> None:
        self._check(action)
        if self.table is None:
            self.dealt += bytes([action])
            if len(self.pack) == 52:
                self.table = self._deal_out()
        elif action == NEW_CARDS:
            self.given_up.append(self.table)
            self.table = None
        else:
            self.table.step(action)

    def _check(self, action: int) -> None:
        """IllegalAction for a card that is dealt already, and for what the rules forbid."""
        legal = int(PACK) & ~_set_of(self.pack) if self.table is None else self.table.legal_set
        if not legal >> action & 1:
            names = action_names(legal) or "none, the round is over"
            raise IllegalAction(f"{action_name(action)} is not legal; legal: {names}")

    def _deal_out(self) -> Table:
        """The table with the present deal on it, which takes the place of one given up (R10.2)."""
        game = self.get_game()
        if not self.given_up:
            # The seed is never dealt from; with it, NEW_CARDS is legal.
            return Table(deal_hands(game.rules, [game.hands(self.pack)], game.dealer, seed=0))
        tables = self.given_up[-1].tables
        deals = [game.hands(self.dealt[i : i + 52]) for i in range(52, len(self.dealt), 52)]
        tables.redeals = np.array([deals])
        tables.given[:] = len(deals)
        step(tables, [NEW_CARDS])
        return Table(tables)

    def returns(self) -> list[float]:
        """What the round paid each player; nothing before its end."""
        if self.table is None or self.table.seat >= 0:
            return [0.0] * 4
        ours, theirs = self.table.tables.points[0].tolist()
        return [float(ours - theirs), float(theirs - ours)] * 2

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {card_name(action)}"
        return action_name(action)

    def __str__(self) -> str:
        cards = " ".join(map(card_name, self.pack))
        deal = f"deal {len(self.given_up) + 1}: {cards}"
        return deal if self.table is None else f"{table_text(self.table, reveal=True)}\n\n{deal}"

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Callable[[], float]
    ) -> "State":
        """A state that the player, of any seat, cannot tell from this one, all equally likely.

        probability_sampler: gives random numbers from 0 to 1.
        """
        rng = np.random.default_rng(int(probability_sampler() * 2**53))
        game = self.get_game()
        state = game.new_initial_state()
        begins = 0  # the actions of the present deal
        for number, table in enumerate(self.tables):
            if number:
                state.apply_action(NEW_CARDS)
            world = worlds(table.observe(int(player_id)), 1, rng)
            length = int(world.length[0])
            actions = (world.history[0, begins:length] & 63).tolist()
            for action in [*game.pack_of(world.deal[0]), *actions]:
                state.apply_action(action)
            begins = length + 1
        if self.table is None:
            if self.given_up:
                state.apply_action(NEW_CARDS)
            for card in self._other_pack(int(player_id), rng):
                state.apply_action(card)
        return state

    def _other_pack(self, player: int, rng: np.random.Generator) -> list[int]:
        """Cards dealt so far, where the player knows only its own first five of them."""
        cards = np.array(list(self.pack), np.int64)
        places = self.get_game().hands(bytes(range(len(cards))))[player, :5]
        is_own = np.isin(np.arange(len(cards)), places)
        own = cards[is_own]
        others = rng.permutation(np.setdiff1d(np.arange(52), own))
        cards[is_own] = rng.permutation(own)
        cards[~is_own] = others[: len(cards) - len(own)]
        return cards.tolist()


def _set_of(cards: Iterable[int]) -> int:
    return sum(1 << card for card in cards)


def _parameters(rules: Rules) -> dict[str, Any]:
    """What can be set, with the values that the rules have."""
    values = {field.name: getattr(rules, field.name) for field in fields(Rules)}
    values["new_cards"] = " ".join(map(str, rules.new_cards))
    plain = {
        name: str(value) if isinstance(value, str) else value for name, value in values.items()
    }
    return plain | {"dealer": 3}


def _counts(text: str) -> Any:
    """The counts of `new_cards`; what is none goes to `Rules`, which refuses it."""
    words = text.split()
    return tuple(map(int, words)) if all(word.isdecimal() for word in words) else text


def register() -> None:
    """Register every game with OpenSpiel; `import rungenv.openspiel` has done so."""
    for name, rules in PRESETS.items():
        kind = pyspiel.GameType(
            short_name=PREFIX + name,
            long_name=f"Rung: {name.replace('_', ' ')}",
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=4,
            min_num_players=4,
            provides_information_state_string=True,
            provides_information_state_tensor=True,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification=_parameters(rules),
        )
        pyspiel.register_game(kind, type(f"{name}_game", (Game,), {"name": name, "kind": kind}))


register()
