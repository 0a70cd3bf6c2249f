"""Agents by name: "greedy", "search:worlds=64"; or where a trained one, or a bot, lies on disk."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from agents import bot_file, pair, process, zoo
from agents.base import Agent
from agents.files import WEIGHTS
from agents.greedy import Greedy
from agents.options import option_values
from agents.random import Random
from rungenv.rules import nearest

Factory = Callable[..., Agent]
"""A class of agents, or a function that makes one; its keyword parameters are the options."""

_factories: dict[str, Factory | str] = {}


def register(name: str, factory: Factory | str) -> None:
    """Make `make(name)` call `factory`, whose keyword parameters become options of the name.

    factory: itself, or as "module:name" where it is found once somebody asks for it. ValueError
    for a name that is taken or cannot stand in a command line.
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
    """The agent of a text, which is one of these, and has options if it has any:

        greedy   search:worlds=64        a registered name
        zoo/double_sar                   a trained one that comes with the package
        runs/double_sar   a.safetensors  a run's folder, or a file of weights, with its ending or
                                         without
        my_bot.py:MyBot:depth=3          a class in a file
        process:seconds=5:./my_bot -v    a program that speaks the protocol of PROTOCOL.md
        pair:zoo/double_sar+greedy       two of them as partners

    Bots in files and programs are called by this text. ValueError, with the nearest names, for an
    unknown agent or option, and for an agent that cannot be made.

    >>> make("greedy").name
    'greedy'
    """
    found = _reference(text)
    name, factory = found.name, found.factory
    given = {} if found.options is None else _parse_options(text, found.options)
    known = tuple(_options(factory))
    for option in given:
        if not known:
            raise ValueError(f"the agent {name!r} has no options, so {text!r} cannot be made")
        if option not in known:
            raise ValueError(f"the agent {name!r} has no option {option!r}{nearest(option, known)}")
    values = option_values(name, factory, given)
    try:
        agent = factory(**values)
        if found.is_called_by_text:
            agent.name = text
    except ValueError:
        raise
    except Exception as error:
        words = f"{error}" if isinstance(error, TypeError) else f"{type(error).__name__}: {error}"
        raise ValueError(f"the agent {text!r} cannot be made: {words}") from error
    return agent


@dataclass(frozen=True)
class _Reference:
    """What an agent's text is made of, and what it stands for."""

    name: str
    options: str | None  # None without a colon that options come after
    factory: Factory
    is_called_by_text: bool = False


def _reference(text: str) -> _Reference:
    name, colon, rest = text.partition(":")
    options = rest if colon else None
    if name in _factories:
        return _Reference(name, options, _imported(_factories[name]))
    if team := pair.split(text):
        return _Reference(text, None, partial(_pair, *team))
    if program := process.split(text):
        command, options = program
        factory = partial(process.Process, command)
        return _Reference(process.PREFIX + command, options, factory, is_called_by_text=True)
    if bot := bot_file.split(text):
        file, kind, options = bot
        factory = bot_file.bot_class(file, kind)
        return _Reference(f"{file}:{kind}", options, factory, is_called_by_text=True)
    return _Reference(name, options, _trained(name))


def purpose(name: str) -> str:
    """What a registered agent does: the first line of its class's or function's docstring."""
    return (inspect.getdoc(_reference(name).factory) or "").partition("\n")[0]


def options(name: str) -> dict[str, Any]:
    """The options of a registered name with their defaults (`inspect.Parameter.empty`: none)."""
    return _options(_reference(name).factory)


def _options(factory: Factory) -> dict[str, Any]:
    return {
        option.name: option.default
        for option in inspect.signature(factory).parameters.values()
        if option.kind in (option.POSITIONAL_OR_KEYWORD, option.KEYWORD_ONLY)
    }


def _trained(name: str) -> Factory:
    """An agent of the zoo, or one that lies on disk."""
    if name.startswith(zoo.PREFIX):
        if name not in zoo.names():
            raise ValueError(f"the zoo has no {name!r}; it has {', '.join(zoo.names())}")
        return _network(zoo.weights(name), name)
    path = Path(name)
    if path.suffix == WEIGHTS or path.is_dir():
        return _network(path, name)
    if path.name and (file := path.with_name(path.name + WEIGHTS)).is_file():
        return _network(file, name)
    if len(path.parts) > 1:
        raise ValueError(f"there is no run folder {name}{_runs_beside(path)}")
    raise ValueError(f"no agent is called {name!r}{nearest(name, names())}")


def _runs_beside(path: Path) -> str:
    """A hint: the folders beside a path that hold weights."""
    runs = sorted({str(file.parent) for file in path.parent.glob(f"*/*{WEIGHTS}")})
    return nearest(str(path), runs) if runs else f"; {path.parent} has none"


def _pair(first: str, second: str) -> Agent:
    return pair.Pair(make(first), make(second))


def _imported(factory: Factory | str) -> Factory:
    if not isinstance(factory, str):
        return factory
    module, _, name = factory.partition(":")
    return getattr(import_module(module), name)


def _network(path: Path, name: str) -> Factory:
    """A trained agent from its file or its run's folder, with the options of `network.load`."""
    if not path.exists():
        raise ValueError(f"there is no file {path}")
    from agents import network  # brings in torch, which is slow to load

    def load(temperature: float = 0.0) -> Agent:
        return network.load(path, temperature, name)

    return load


def _parse_options(text: str, rest: str) -> dict[str, str]:
    """The options of "worlds=64,deep=True", each as it is written."""
    given: dict[str, str] = {}
    for part in rest.split(","):
        key, equals, value = part.partition("=")
        if not (key and equals and value):
            raise ValueError(f"options are written name:key=value,key=value, not {text!r}")
        if key in given:
            raise ValueError(f"the option {key!r} is there twice in {text!r}")
        given[key] = value
    return given


register("random", Random)
register("greedy", Greedy)
register("expert", "agents.expert:Expert")
register("search", "agents.search:Search")
register("double_dummy", "agents.double_dummy:DoubleDummy")
register("peek", "agents.peek:Peek")
