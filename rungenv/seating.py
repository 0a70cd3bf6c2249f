"""What both Gymnasium environments are told: the game, who plays, what is paid. No rules.

Options of `rungenv.seat_env.SeatEnv` and `rungenv.vector_env.RungVectorEnv` alike:

- `seat`: the caller's own, 0 to 3, or None (the default) for one drawn anew for each episode;
- `partner`, `opponents`: who plays the other seats. A player is an object with `act(view, rng)`, as
  `agents.make("greedy")` is, or a function of the same arguments: given a `rungenv.View` of n rows
  and a generator, it answers with n legal actions. None (the default) is any legal action, by
  chance;
- `episode`: "round", one deal (the default), or "match", rounds until a team has won it;
- `reward`: "points", what the round pays (the default), or "win", which makes it 1; the winners get
  it and the losers lose it. An illegal action ends the episode and costs `ILLEGAL_COSTS`, which is
  more than any round does;
- every field of `rungenv.Rules`, starting from the game's own.
"""

import inspect
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from rungenv.checks import as_array, one_of, whole
from rungenv.players import Player
from rungenv.rules import Rules, nearest, variant
from rungenv.tables import Tables, deal, deal_hands

ILLEGAL_COSTS = {"points": 5.0, "win": 2.0}
"""What an illegal action costs, by what `reward` is."""


@dataclass(frozen=True)
class Seating:
    """The options, checked; ValueError names the wrong one, its value, and what is right."""

    rules: Rules
    seat: int | None
    partner: Player
    opponents: Player
    episode: str
    reward: str

    @classmethod
    def of(
        cls,
        game: str | Rules,
        rules: Mapping[str, Any],
        others: Collection[str],
        *,
        seat: Any,
        partner: Any,
        opponents: Any,
        episode: Any,
        reward: Any,
    ) -> "Seating":
        """The seating that an environment's arguments describe; `others`, as `rules_of`'s."""
        return cls(
            rules=rules_of(game, rules, others),
            seat=seat if seat is None else whole("seat", seat, 0, 3),
            partner=Player("partner", partner),
            opponents=Player("opponents", opponents),
            episode=one_of("episode", episode, ("round", "match")),
            reward=one_of("reward", reward, ("points", "win")),
        )

    @property
    def illegal_reward(self) -> float:
        """The reward for an illegal action."""
        return -ILLEGAL_COSTS[self.reward]

    def pay(self, points: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """What seats get for rounds that paid their teams so: (n, 2), (n,) int -> (n,) float64."""
        won = (points[:, 0] - points[:, 1]).astype(np.float64)
        if self.reward == "win":
            won = np.sign(won)
        return np.where(seats & 1, -won, won)


def rules_of(game: str | Rules, options: Mapping[str, Any], others: Collection[str]) -> Rules:
    """The rules of a game with options; `others` are those that the environment took itself."""
    known = (*others, *(field.name for field in fields(Rules)))
    for option in options:
        if option not in known:
            name = "the game" if isinstance(game, Rules) else game
            raise ValueError(f"{name} has no option {option!r}{nearest(option, known)}")
    return replace(game, **options) if isinstance(game, Rules) else variant(game, **options)


def options_of(environment: type) -> tuple[str, ...]:
    """What an environment is told besides its game and the options of the rules."""
    told = list(inspect.signature(environment).parameters.values())
    return tuple(option.name for option in told[1:] if option.kind != option.VAR_KEYWORD)


def known_options(options: Any, known: tuple[str, ...]) -> dict[str, Any]:
    """The options of a reset; ValueError names the nearest for one that there is not."""
    if not isinstance(options, dict | None):
        raise ValueError(f"options must be a dict, not {options!r}")
    for name in options or {}:
        if name not in known:
            raise ValueError(f"reset has no option {name!r}{nearest(name, known)}")
    return dict(options or {})


def deal_one(
    rules: Rules, seed: int, *, dealer: Any = None, hands: Any = None, number: int = 0
) -> Tables:
    """One table as a reset's options have it: table `number` of the seed, but for what is given.

    dealer: 0 to 3; hands: (4, 13) card numbers, in the order received.
    """
    tables = deal(rules, 1, seed, dealer=dealer, first_table=number)
    if hands is None:
        return tables
    hands = as_array("hands", hands)
    if hands.shape != (4, 13):
        raise ValueError(f"hands must have shape (4, 13), not {hands.shape}")
    return deal_hands(rules, hands[None], tables.dealer, seed=seed, first_table=number)
