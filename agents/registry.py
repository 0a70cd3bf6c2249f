"""Agents by name: "greedy", "search:worlds=64", or where a trained one lies on disk."""

import inspect
from ast import literal_eval
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from agents.base import Agent
from agents.greedy import Greedy
from agents.random import Random
from rungenv.rules import nearest

Factory = Callable[..., Agent]
"""A class of agents, or a function that makes one; its keyword parameters are the options."""

_factories: dict[str, Factory] = {}


def register(name: str, factory: Factory) -> None:
    """Make `make(name)` call `factory`, whose keyword parameters become options of the name.

    ValueError for a name that is taken or cannot stand in a command line.
    """
    if not name.replace("_", "").replace("-", "").isalnum():
        raise ValueError(f"an agent's name is letters, digits, - and _, not {name!r}")
    if name in _factories:
        raise ValueError(f"there is an agent called {name!r} already")
    _factories[name] = factory


def names() -> tuple[str, ...]:
    """The registered names, in the order in which they were registered."""
    return tuple(_factories)


def make(text: str) -> Agent:
    """The agent of a text: a registered name or a path, with options if it has any.

    A path ends in .safetensors, or is a folder that training wrote. ValueError, with the nearest
    names, for an unknown agent or option.

    >>> make("greedy").name
    'greedy'
    """
    name, colon, rest = text.partition(":")
    given = _parse_options(text, rest) if colon else {}
    factory = _factory(name)
    known = tuple(_options(factory))
    for option in given:
        if not known:
            raise ValueError(f"the agent {name!r} has no options, so {text!r} cannot be made")
        if option not in known:
            raise ValueError(f"the agent {name!r} has no option {option!r}{nearest(option, known)}")
    try:
        return factory(**given)
    except TypeError as error:
        raise ValueError(f"the agent {text!r} cannot be made: {error}") from error


def purpose(name: str) -> str:
    """What a registered agent does: the first line of its class's or function's docstring."""
    return (inspect.getdoc(_factory(name)) or "").partition("\n")[0]


def options(name: str) -> dict[str, Any]:
    """The options of a registered name with their defaults (`inspect.Parameter.empty`: none)."""
    return _options(_factory(name))


def _options(factory: Factory) -> dict[str, Any]:
    return {
        option.name: option.default
        for option in inspect.signature(factory).parameters.values()
        if option.kind in (option.POSITIONAL_OR_KEYWORD, option.KEYWORD_ONLY)
    }


def _factory(name: str) -> Factory:
    if name in _factories:
        return _factories[name]
    if name.endswith(".safetensors") or Path(name).is_dir():
        return _network(Path(name))
    raise ValueError(f"no agent is called {name!r}{nearest(name, names())}")


def _network(path: Path) -> Factory:
    """A trained agent from its file or its run's folder, with the options of `network.load`."""
    if not path.exists():
        raise ValueError(f"there is no file {path}")
    from agents import network  # brings in torch, which is slow to load

    return partial(network.load, path)


def _parse_options(text: str, rest: str) -> dict[str, Any]:
    """The options of "worlds=64,deep=True" as Python values; a word is itself."""
    given: dict[str, Any] = {}
    for part in rest.split(","):
        key, equals, value = part.partition("=")
        if not (key and equals and value):
            raise ValueError(f"options are written name:key=value,key=value, not {text!r}")
        if key in given:
            raise ValueError(f"the option {key!r} is there twice in {text!r}")
        given[key] = plain_value(value)
    return given


def plain_value(text: str) -> Any:
    """What a value on a command line means: a number, True or False, a tuple, else the text.

    >>> plain_value("64"), plain_value("true"), plain_value("(1, 0)"), plain_value("pile")
    (64, True, (1, 0), 'pile')
    """
    if text.lower() in ("true", "false", "none"):
        text = text.capitalize()
    try:
        return literal_eval(text)
    except (ValueError, SyntaxError):
        return text


register("random", Random)
register("greedy", Greedy)
