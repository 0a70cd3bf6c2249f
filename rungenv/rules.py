"""The rules of a game as a point in a space of choices; the six games are six such points.

Four axes say what kind of game it is (how the trump comes to be, when a hidden one is shown, what
happens to a won trick, what wins the round) and house rules refine it. What follows from a field
is decided by a plain `if`, each rule in one place. Combinations that no book names are played just
the same.
"""

import dataclasses
import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Trump(StrEnum):
    """How the trump comes to be."""

    CALLED = "called"  # R2: a player names a suit, having seen five cards
    HIDDEN = "hidden"  # R7, R9.2: a player lays one of five cards face down
    CUT = "cut"  # R8.2: the first card played off the led suit


class Shown(StrEnum):
    """When a face-down card is shown; not read unless the trump is hidden."""

    ON_DEMAND = "on_demand"  # R7.3: a seat that cannot follow may ask for it
    FIRST_VOID = "first_void"  # R9.3: as soon as a seat cannot follow


class Collects(StrEnum):
    """What happens to a won trick."""

    TRICK = "trick"  # R4: it is the winner's at once
    PILE = "pile"  # R6: it waits on the pile for two wins in a row


class Goal(StrEnum):
    """What wins the round."""

    SEVEN_TRICKS = "seven_tricks"  # R4, R6
    TENS = "tens"  # R9


class Scoring(StrEnum):
    """What a match counts."""

    POINTS = "points"
    KOTS = "kots"


def _choice(field: str, value: Any, choices: type[StrEnum]) -> StrEnum:
    try:
        return choices(value)
    except ValueError:
        allowed = ", ".join(repr(choice.value) for choice in choices)
        raise ValueError(f"{field} must be one of {allowed}, not {value!r}") from None


def _check_count(field: str, value: Any, low: int, high: int) -> None:
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{field} must be a whole number from {low} to {high}, not {value!r}")


def _four_counts(field: str, value: Any) -> tuple[int, ...]:
    counts = (value,) * 4 if type(value) is int else value
    if not isinstance(counts, tuple | list) or len(counts) != 4:
        raise ValueError(f"{field} must be a whole number or four of them, not {value!r}")
    for count in counts:
        _check_count(field, count, 0, 9)
    return tuple(counts)


def _plain(value: Any) -> str:
    return repr(value.value) if isinstance(value, StrEnum) else repr(value)


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules that all tables of a batch play by.

    Raises ValueError for a value outside a field's choices or range, and for two fields that
    contradict each other, naming them.
    """

    trump: Trump = Trump.CALLED
    shown: Shown = Shown.ON_DEMAND
    collects: Collects = Collects.TRICK
    goal: Goal = Goal.SEVEN_TRICKS

    passing: bool = True
    """R2.1: the eldest hand may pass the call to its partner (R9.2: not in Mendikot)."""
    call_any_suit: bool = False
    """R2.3: a suit may be called that is not among the caller's five cards."""
    allow_timeout: bool = True
    """TIMEOUT is an action of the seat that may not pass."""

    ace_over_ace: bool = True
    """R6.7: two tricks in a row won by two aces pick nothing up."""
    trump_ace_cannot_seal: bool = True
    """R6.7: the ace of trump cannot be the second trick of a pick-up."""
    no_late_pickup: bool = False
    """R6.7: nothing is picked up at tricks 11 and 12."""

    play_out: bool = False
    """R9.5: play all 13 tricks even when the tens have settled the round."""

    change_trump: bool = False
    """R10.1: the caller may change the trump before the first card."""
    new_cards: tuple[int, int, int, int] = (0, 0, 0, 0)
    """R10.2: fresh deals that each seat may ask for in a match; one int means the same for all."""

    scoring: Scoring = Scoring.POINTS
    """R5.5: whether a match is counted in points or in kots."""
    points_target: int = 10
    """R5.5: points that win a match scored in points, 1 to 100."""
    kots_target: int = 3
    """R5.5: kots that win a match scored in kots, 1 to 100."""
    call_seconds: int = 20
    """R2.1: time for a call, in seconds, for whoever keeps a clock; the kernel keeps none."""

    def __post_init__(self) -> None:
        for field, choices in _CHOICES.items():
            object.__setattr__(self, field, _choice(field, getattr(self, field), choices))
        for field in _SWITCHES:
            if not isinstance(getattr(self, field), bool):
                raise ValueError(f"{field} must be True or False, not {getattr(self, field)!r}")
        for field in ("points_target", "kots_target", "call_seconds"):
            _check_count(field, getattr(self, field), 1, 100)
        object.__setattr__(self, "new_cards", _four_counts("new_cards", self.new_cards))
        for (field, value), (other, refused), reason in _CONTRADICTIONS:
            if getattr(self, field) == value and getattr(self, other) == refused:
                raise ValueError(
                    f"{field}={_plain(value)} contradicts {other}={_plain(refused)}: {reason}"
                )

    @property
    def target(self) -> int:
        """What wins the match, in whatever it counts (R5.5)."""
        return self.points_target if self.scoring == Scoring.POINTS else self.kots_target

    @property
    def calls(self) -> bool:
        """Whether someone decides the trump before all cards are dealt (R1.3)."""
        return self.trump != Trump.CUT

    def newcomer(self, *, first_game: bool = False) -> "Rules":
        """These rules for a player's first three matches: to 3 points (R5.6, R9.7).

        The very first game also has 10 seconds at most for a call (R2.1).
        """
        seconds = min(10, self.call_seconds) if first_game else self.call_seconds
        return dataclasses.replace(
            self, scoring=Scoring.POINTS, points_target=3, call_seconds=seconds
        )


_CHOICES = {
    "trump": Trump,
    "shown": Shown,
    "collects": Collects,
    "goal": Goal,
    "scoring": Scoring,
}
_SWITCHES = tuple(field.name for field in dataclasses.fields(Rules) if field.type is bool)

_CONTRADICTIONS: tuple[tuple[tuple[str, Any], tuple[str, Any], str], ...] = (
    (("change_trump", True), ("trump", Trump.CUT), "nobody called a trump to change (R10.1)"),
    (("change_trump", True), ("goal", Goal.TENS), "Mendikot has no change of trump (R10.1)"),
    (("call_any_suit", True), ("trump", Trump.HIDDEN), "a card is laid, no suit is called (R7.1)"),
    (("call_any_suit", True), ("trump", Trump.CUT), "nobody calls a suit (R8.1)"),
    (("no_late_pickup", True), ("collects", Collects.TRICK), "there is no pile (R6)"),
    (("play_out", True), ("goal", Goal.SEVEN_TRICKS), "seven tricks end the round (R4.1, R6.5)"),
    (("scoring", Scoring.KOTS), ("goal", Goal.TENS), "Mendikot has no kots (R9.6)"),
)

_MENDIKOT: dict[str, Any] = {
    "shown": Shown.FIRST_VOID,
    "passing": False,
    "goal": Goal.TENS,
    "points_target": 5,
}
PRESETS: dict[str, Rules] = {
    "single_sar": Rules(),
    "double_sar": Rules(collects=Collects.PILE),
    "hidden_rung": Rules(trump=Trump.HIDDEN),
    "be_ranga": Rules(trump=Trump.CUT),
    "mendikot": Rules(trump=Trump.CUT, **_MENDIKOT),
    "mendikot_band": Rules(trump=Trump.HIDDEN, **_MENDIKOT),
}
VARIANTS = tuple(PRESETS)
"""The names of the six games."""


def variant(name: str, /, **options: Any) -> Rules:
    """The rules of one of the six games, with options changed.

    Raises ValueError, with the nearest names, for an unknown game or option.

    >>> variant("double_sar", no_late_pickup=True).no_late_pickup
    True
    >>> variant("mendikot", trump="hidden") == variant("mendikot_band")
    True
    """
    if not isinstance(name, str) or name not in PRESETS:
        raise ValueError(f"no game is called {name!r}{nearest(name, VARIANTS)}")
    known = tuple(field.name for field in dataclasses.fields(Rules))
    for option in options:
        if option not in known:
            raise ValueError(f"{name} has no option {option!r}{nearest(option, known)}")
    return dataclasses.replace(PRESETS[name], **options)


def nearest_game(rules: Rules) -> tuple[str, dict[str, Any]]:
    """The game that the rules are nearest to, and what they change in it."""
    options = changed_from_each(rules)
    game = min(options, key=lambda game: len(options[game]))
    return game, options[game]


def changed_from_each(rules: Rules) -> dict[str, dict[str, Any]]:
    """By game, the options in which rules differ from it."""
    return {
        game: {
            field.name: value
            for field in dataclasses.fields(Rules)
            if (value := getattr(rules, field.name)) != getattr(preset, field.name)
        }
        for game, preset in PRESETS.items()
    }


def in_short(rules: Rules) -> str:
    """A game, and what the rules change in it, as text: of all such texts the shortest.

    >>> in_short(variant("double_sar", no_late_pickup=True))
    'double_sar no_late_pickup=True'
    """
    texts = (
        " ".join([game, *(f"{option}={value}" for option, value in options.items())])
        for game, options in changed_from_each(rules).items()
    )
    return min(texts, key=len)


def nearest(name: str, known: Sequence[str]) -> str:
    """A hint for an error message: three known names at most, those nearest to a wrong one.

    Where none is near: all of them if they are few, else nothing.
    """
    near = difflib.get_close_matches(str(name), known, n=3, cutoff=0.5)
    if near:
        return f"; nearest: {', '.join(near)}"
    return f"; known: {', '.join(known)}" if len(known) <= _FEW else ""


_FEW = 10
"""Names that still fit into a line."""
