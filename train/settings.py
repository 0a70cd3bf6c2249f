"""The sections of a training run's configuration: frozen dataclasses of plain values.

`train.config` puts them together, reads them from files, and says which values are allowed.
"""

from dataclasses import dataclass
from typing import Literal

from rungenv.rules import Collects, Goal, Rules, Scoring, Trump

_ALWAYS = (
    *("hand", "unseen", "winners", "masters", "trick_sets", "legal_calls", "legal_other", "phase"),
    *("led", "trump", "voids", "trick_size", "holder", "dealer", "tricks", "trick_number"),
)
_TRUMP_DECIDED = ("caller", "passed", "timed_out")
_TRUMP_CUT = ("led_suits", "cutter")
_TRUMP_HIDDEN = (
    *("my_face_down_set", "shown_set", "is_down", "owner", "owner_knows", "asker", "must_trump"),
)
_PILE = ("pile", "waiting", "waiting_ace")


Device = Literal["cpu", "cuda", "auto"]
Precision = Literal["float32", "bfloat16"]


def totals_for(rules: Rules) -> tuple[str, ...]:
    """The fields of the dense view that say how a match stands.

    >>> totals_for(Rules())
    ('points', 'streak')
    """
    streak = () if rules.goal == Goal.TENS else ("streak",)
    return ("points" if rules.scoring == Scoring.POINTS else "kots", *streak)


def fields_for(rules: Rules, for_the_match: bool = False) -> tuple[str, ...]:
    """The fields to read that matter under these rules; of a match's totals on demand.

    >>> from rungenv.rules import variant
    >>> len(fields_for(variant("be_ranga"))) < len(fields_for(variant("mendikot_band")))
    True
    """
    has_pile, has_tens = rules.collects == Collects.PILE, rules.goal == Goal.TENS
    return (
        *_ALWAYS,
        *(_TRUMP_DECIDED if rules.calls else ()),
        *(_TRUMP_CUT if rules.trump == Trump.CUT else ()),
        *(_TRUMP_HIDDEN if rules.trump == Trump.HIDDEN else ()),
        *(_PILE if has_pile else ()),
        *(("tens",) if has_tens else ()),
        *(("pile_tens",) if has_pile and has_tens else ()),
        *(("new_cards_left",) if any(rules.new_cards) else ()),
        *(totals_for(rules) if for_the_match else ()),
    )


@dataclass(frozen=True)
class Network:
    """The networks: what they read and how large they are."""

    fields: tuple[str, ...] = ()
    """Fields to read, of the dense view (rungenv.FIELDS) or from the order of the plays
    (agents/derived.py); none: those that matter in the game."""
    more_fields: tuple[str, ...] = ()
    """Fields to read besides these."""
    suits: Literal["sorted", "as_dealt", "shuffled"] = "sorted"
    """Sorted: the trump first, then long suits before short ones; or each suit in its own place; or
    so in play, but in training under new names in every round."""
    shape: Literal["plain", "residual", "transformer"] = "plain"
    """Plain: one layer after the other; residual: each after the first adds to the one before;
    transformer: the policy's first layer also hears, through one, of the round's actions so far."""
    hidden: tuple[int, ...] = (256, 256)
    """Hidden layers of the policy; none: it is linear."""
    critic_hidden: tuple[int, ...] = (256, 256)
    """Hidden layers of the critic."""
    attention_width: int = 64
    """Of a transformer: numbers to a token."""
    attention_layers: int = 2
    attention_heads: int = 4
    critic_sees: Literal["all_hands", "view"] = "all_hands"
    """What the critic judges by, in training only: the other hands as well, or as little as the
    policy."""


@dataclass(frozen=True)
class Ppo:
    """The learning; coefficients named start and end move in a straight line over the run."""

    deals: int = 1024
    """Rounds that an update plays to their end and learns from."""
    epochs: int = 1
    """Times that an update goes over its decisions."""
    minibatch: int = 2048
    """Decisions in a gradient step, at most."""
    learning_rate_start: float = 2e-3
    """Of Adam."""
    learning_rate_end: float = 1e-4
    entropy_start: float = 0.05
    """Weight of the entropy bonus."""
    entropy_end: float = 0.02
    clip: float = 0.2
    """How far a decision's probability ratio may move from 1 in an update and still gain."""
    critic: Literal["value", "q"] = "value"
    """What the critic judges: positions, for generalised advantage estimates; or the actions in
    them, for expected Sarsa(lambda)."""
    trace: float = 0.9
    """Lambda: from one decision of a player to its next; with a q critic, to the next at the table.
    1 takes the outcome alone."""
    critic_weight: float = 0.5
    """Weight of the critic's loss."""
    cards_weight: float = 0.0
    """Weight of guessing who holds which card, for which the policy then has outputs of its own."""
    shaping_start: float = 0.0
    """Points that a whole lead in tricks, or where they count tens, is taken for on the way."""
    shaping_end: float = 0.0
    max_gradient: float = 0.5
    """Norm that a gradient is cut down to."""


@dataclass(frozen=True)
class Clone:
    """How a run may begin: as an agent that is trained already, or imitating one's play."""

    weights: str | None = None
    """A trained agent whose weights are the policy's first ones: zoo/..., a run's folder or a file;
    none: weights as chance has them."""
    agent: str | None = None
    """Whom to imitate, as `agents.make` knows it; none: self-play from the first."""
    steps: int = 3_000_000
    """Seat-steps of it, before self-play goes on with what was learned."""


@dataclass(frozen=True)
class League:
    """Who else sits at the tables, beside the policy."""

    share: float = 0.0
    """The share of tables where one of `agents` plays."""
    agents: tuple[str, ...] = ()
    """Agents, as `agents.make` knows them."""
    past: float = 0.0
    """The share of tables where a past policy of the run plays."""
    every: int = 25
    """Updates from one past policy that is kept to the next."""
    keep: int = 20
    """Past policies to draw from: the newest so many."""
    partners: float = 0.25
    """Of all these tables, the share where the other has one seat, not the whole other team."""


@dataclass(frozen=True)
class Iteration:
    """Expert iteration: updates that teach the policy what a search by itself would play."""

    every: int = 0
    """The last of so many updates is such a one; 0: none is."""
    share: float = 0.02
    """The share of an update's tables that are then played, by the search."""
    worlds: int = 16
    """Worlds that the search tries for each decision."""


@dataclass(frozen=True)
class Budget:
    """When a run ends: at whichever comes first. One of the first two is needed."""

    total_steps: int | None = 30_000_000
    """Seat-steps: actions of any seat, forced ones included."""
    max_minutes: float | None = None
    """Time spent training; a run that this ends does not repeat exactly."""
    patience: int | None = None
    """Measurements in a row without a new best, after which a run ends as well."""


BEST_BEFORE = "best"
"""Among a report's opponents: the best policy of the run's earlier measurements."""


@dataclass(frozen=True)
class Report:
    """What is measured and saved on the way; none of it changes what is learned."""

    opponents: tuple[str, ...] = ("greedy",)
    """What the learning curve is measured against, as `agents.make` knows it; best: the best policy
    of the run so far."""
    pairs: int = 1000
    """Pairs of validation deals in each measurement; 0 measures nothing."""
    every_minutes: float = 1.0
    """Time between measurements."""
    save_minutes: float = 5.0
    """Time between checkpoints; the end of the run, and Ctrl-C, save as well."""
