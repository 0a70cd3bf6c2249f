"""What a tournament found, as data and as `results.json`.

`results.json` is `Results.as_dict()`: plain values, keys named as the fields below, in their order.
Points, shares and intervals are floats; every interval is one of 95 %. By example:

    {"format": "rungenv results 1",
     "agents": ["greedy", "random"],       all of the tournament, in the order given
     "cheats": [],                         those of them that see all hands: no fair measure
     "deals": "test", "set": 0, "seed": 4611686018427387904,
     "episode": "round",                   or "match": then points are +1 a match won, -1 one lost
     "settings": {...},                    the tournament's config.json
     "games": [                            one for each game, in the order played
      {"game": "double_sar no_late_pickup=True",     its name, and what differs from the rules of it
       "rules": {...},                               every field of `rungenv.Rules`
       "scores": [                                   one for each two agents that met: a `Score`
        {"a": "greedy", "b": "random", "first_table": 0, "pairs": 10000,
         "points": 1.922, "low": 1.897, "high": 1.947,      points of `a` less those of `b`, a deal
         "deviation": 1.27,                                 of the pairs' means about it
         "win": 0.821, "win_low": 0.817, "win_high": 0.825, share of rounds (matches) that `a` won
         "won":  {"WIN": 0.61, "KOT": 0.14, "GOON_KOT": 0.07},    of all rounds, by kind; none for
         "lost": {"WIN": 0.17, "KOT": 0.01, "GOON_KOT": 0.00},    matches
         "forfeits": [0, 0],                         rounds that each lost by failing (`--forfeit`)
         "planned": null,                            pairs that `--until` found to be needed
         "controlled": null,                         or {"points", "low", "high", "weight",
                                                     "variance", "by"}: with the control variate;
                                                     variance is what is left of it, 1 all
         "decisions": 530411, "decisions_per_second": 512345.6}],
       "ladder": [                                   best first: a `Rating`
        {"agent": "greedy", "rating": 151.2, "low": 148.0, "high": 154.5,    in Elo's points, by
         "points": 1.922, "points_low": ..., "points_high": ...,             rounds won; mean 0
         "win": 0.821, "cheats": false}],            points and win: mean over its opponents
       "calls": [                                    a `Calls` for each agent; none if nobody calls
        {"agent": "greedy", "asked": 10000, "pass": 0.31, "timeout": 0.0,    null: nobody may pass
         "made": 9876, "success": 0.62,
         "suits": {"C": 0.25, "D": 0.25, "H": 0.25, "S": 0.25},
         "ranks": {"2": 0.3, ...}}],                 of the card hidden; none where suits are called
       "speeds": [                                   a `Speed` for each agent, inside `act` alone
        {"agent": "greedy", "decisions": 530000, "seconds": 1.1, "per_second": 481818.2}],
       "power": {"0.01": 126000, ...}}],             pairs that show such a difference
     "games_recorded": [                   line by line what `games.jsonl` holds
      {"line": 1, "game": "double_sar", "a": "greedy", "b": "random", "table": 17,
       "a_sits": [0, 2], "points": 3.5,    of `a`, the mean of the pair
       "why": "sample"}],                  or "swing": one of the biggest
     "faults": [                           what `--forfeit` went on from
      {"agent": "mine", "what": "failed",  or "out of time"
       "reason": "...", "game": "double_sar", "table": 12, "round": 0, "seat": 2,
       "ply": 7,                           actions of the round before it
       "record": "..."}]}                  of the game so far, as in games.jsonl

The same tournament gives the same file, whatever the processes and however often it was resumed,
but for times: `decisions_per_second`, `seconds`, `per_second`.
"""

import dataclasses
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rungenv import Kind, Rules
from train.files import read_json, write_json
from train.options import game_name

FORMAT = "rungenv results 1"
RESULTS = "results.json"
"""The file's name in a tournament's folder."""


@dataclass(frozen=True)
class Controlled:
    """A mean made steadier by a control variate (`control.py`)."""

    points: float
    low: float
    high: float
    weight: float
    """What a point of the control was taken for."""
    variance: float
    """The share of the mean's variance that is left."""
    by: tuple[str, ...]
    """The two agents whose games were the control; ("luck",) for `luck.py`."""


@dataclass(frozen=True)
class Score:
    """How agent `a` did against agent `b`.

    `points` is the mean of `a`'s points won less points lost, per deal, and `low` to `high` its
    95 % interval from the pairs; `deviation` is that of the pairs' own means. `won` and `lost` are
    the shares of all rounds that `a` won and lost by each kind of result. Where the episode is a
    match, a match is worth a point, `win` is the share of matches, and there are no kinds.
    """

    a: str
    b: str
    rules: Rules
    pairs: int
    seed: int
    first_table: int
    points: float
    low: float
    high: float
    deviation: float
    win: float
    win_low: float
    win_high: float
    won: dict[str, float]
    lost: dict[str, float]
    decisions: int
    seconds: float = field(compare=False)
    episode: str = "round"
    forfeits: tuple[int, int] = (0, 0)
    planned: int | None = None
    controlled: Controlled | None = None

    @property
    def kot(self) -> float:
        """The share of all rounds that `a` won by a kot as callers."""
        return self.won.get(Kind.KOT.name, 0.0)

    @property
    def goon_kot(self) -> float:
        """The share of all rounds that `a` won by a goon kot."""
        return self.won.get(Kind.GOON_KOT.name, 0.0)

    @property
    def decisions_per_second(self) -> float:
        """Decisions of both agents; a duel's time includes the play of the cards."""
        return self.decisions / self.seconds if self.seconds else 0.0

    def in_game(self) -> dict[str, Any]:
        """What a game's list of scores has of it: all but what its game or tournament says."""
        values = dataclasses.asdict(self)
        for said_once in ("rules", "seed", "seconds", "episode"):
            del values[said_once]
        return values | {"decisions_per_second": self.decisions_per_second}

    def as_dict(self) -> dict[str, Any]:
        """All of it as plain values, for JSON."""
        return {
            "game": game_name(self.rules),
            "rules": dataclasses.asdict(self.rules),
            "episode": self.episode,
            "seed": self.seed,
            **self.in_game(),
        }


@dataclass(frozen=True)
class Rating:
    """An agent's place on the ladder; see `ratings.py`."""

    agent: str
    rating: float
    low: float
    high: float
    points: float
    points_low: float
    points_high: float
    win: float
    cheats: bool = False


@dataclass(frozen=True)
class Calls:
    """What an agent called or hid, and how that went; see `summary.py`."""

    agent: str
    asked: int
    """Rounds in which it was the first to be asked."""
    passed: float | None
    """The share of these in which it left the call to its partner; None where nobody may pass."""
    timeout: float
    """The share of these in which, in the end, nobody had called in time."""
    made: int
    """Rounds in which it decided the trump itself."""
    success: float
    """The share of these that it won."""
    suits: dict[str, float]
    ranks: dict[str, float]

    def as_dict(self) -> dict[str, Any]:
        """Plain values; `passed` is called "pass"."""
        values = dataclasses.asdict(self)
        return {"pass" if key == "passed" else key: value for key, value in values.items()}


@dataclass(frozen=True)
class Speed:
    """How many decisions an agent makes in a second, its own time alone."""

    agent: str
    decisions: int
    seconds: float = field(compare=False)

    @property
    def per_second(self) -> float:
        """Decisions a second; 0 where it made none."""
        return self.decisions / self.seconds if self.seconds else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {**dataclasses.asdict(self), "per_second": self.per_second}


@dataclass(frozen=True)
class GameResults:
    """All that was found in one game."""

    rules: Rules
    scores: tuple[Score, ...]
    ladder: tuple[Rating, ...]
    calls: tuple[Calls, ...]
    speeds: tuple[Speed, ...]
    power: dict[float, int]
    """Pairs that show a difference of so many points; see `sample_size.pairs_to_show`."""

    @property
    def name(self) -> str:
        """The game, and what differs from its own rules."""
        return game_name(self.rules)

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "game": self.name,
            "rules": dataclasses.asdict(self.rules),
            "scores": [score.in_game() for score in self.scores],
            "ladder": [dataclasses.asdict(rating) for rating in self.ladder],
            "calls": [calls.as_dict() for calls in self.calls],
            "speeds": [speed.as_dict() for speed in self.speeds],
            "power": {f"{difference:g}": pairs for difference, pairs in self.power.items()},
        }


@dataclass(frozen=True)
class Results:
    """All that a tournament found."""

    agents: tuple[str, ...]
    cheats: tuple[str, ...]
    deals: str
    set: int
    seed: int
    episode: str
    settings: dict[str, Any]
    games: tuple[GameResults, ...]
    games_recorded: tuple[dict[str, Any], ...] = ()
    faults: tuple[dict[str, Any], ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Plain values, as in `results.json`."""
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        values["games"] = [game.as_dict() for game in self.games]
        return {"format": FORMAT, **values}


def write_results(folder: Path, results: Results) -> None:
    """Write a tournament's `results.json`, whole or not at all."""
    write_json(folder / RESULTS, results.as_dict())


def read_results(path: Path) -> dict[str, Any]:
    """The values of a `results.json`, or of the one in a tournament's folder.

    ValueError where there is none, or something else.
    """
    path = path / RESULTS if path.is_dir() else path
    values = read_json(path)
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise ValueError(f"{path} holds no results of `rung arena`, in the form {FORMAT!r}")
    return values
