"""The games that a run is for: one, or several that one network learns."""

import dataclasses
from collections.abc import Iterable
from typing import Any

import agents
from agents.axes import axes_of, refuse_other_game
from agents.base import Agent
from rungenv.rules import VARIANTS, Rules, nearest, variant

ALL = "all"
"""In place of a game's name: all six."""


def names_of(game: str) -> tuple[str, ...]:
    """The games that a text names: one, several joined by +, or all. ValueError for an unknown one.

    >>> names_of("be_ranga+mendikot"), len(names_of("all"))
    (('be_ranga', 'mendikot'), 6)
    """
    names = VARIANTS if game == ALL else tuple(str(game).split("+"))
    for name in names:
        if name not in VARIANTS:
            raise ValueError(f"no game is called {name!r}{nearest(name, VARIANTS)}")
    if len(set(names)) < len(names):
        raise ValueError(f"a game is there twice in {game!r}")
    return names


def house_rules(game: str, /, **options: Any) -> Rules:
    """A game's rules; of several games, what is changed in all of them on top of the defaults.

    ValueError for what cannot be; and where one of several games has another value by itself than
    the default that is asked for, which would not come to it.
    """
    names = names_of(game)
    if len(names) == 1:
        return variant(names[0], **options)
    rules, usual = variant("single_sar", **options), Rules()
    for option in options:
        value = getattr(rules, option)
        others = [name for name in names if getattr(variant(name), option) != value]
        if value == getattr(usual, option) and others:
            raise ValueError(
                f"{option}={value} is single_sar's own and would leave {others[0]} with "
                f"{getattr(variant(others[0]), option)}: train that one by itself"
            )
    return rules


def agent_for(name: str, games: Iterable[Rules]) -> Agent:
    """An agent by its name; ValueError for one that is unknown, or not for all these games."""
    agent = agents.make(name)
    for rules in games:
        refuse_other_game(agent, rules)
    return agent


def rules_of_each(game: str, rules: Rules) -> tuple[Rules, ...]:
    """The rules of each game that a text names, from what `house_rules` gave for it.

    ValueError where it changes an axis of several games, or what one of them cannot have.
    """
    names = names_of(game)
    if len(names) == 1:
        return (rules,)
    given, usual = dataclasses.asdict(rules), dataclasses.asdict(Rules())
    changed = {key: value for key, value in given.items() if value != usual[key]}
    for axis in axes_of(rules).keys() & changed.keys():
        raise ValueError(f"of several games each has its own: rules.{axis} cannot be changed")
    return tuple(variant(name, **changed) for name in names)
