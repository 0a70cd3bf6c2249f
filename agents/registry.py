"""Agents by name: "greedy", "search:worlds=64"; or where a trained one, or a bot, lies on disk."""

import inspect
from collections.abc import Callable
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
    name, options = _name_and_options(text)
    factory = _factory(name)
    given: dict[str, Any] = {} if options is None else _parse_options(text, options)
    known = tuple(_options(factory))
    for option in given:
        if not known:
            raise ValueError(f"the agent {name!r} has no options, so {text!r} cannot be made")
        if option not in known:
            raise ValueError(f"the agent {name!r} has no option {option!r}{nearest(option, known)}")
    given = option_values(name, factory, given)
    try:
        agent = factory(**given)
        if bot_file.split(name) or process.split(name):
            agent.name = text
    except ValueError:
        raise
    except Exception as error:
        words = f"{error}" if isinstance(error, TypeError) else f"{type(error).__name__}: {error}"
        raise ValueError(f"the agent {text!r} cannot be made: {words}") from error
    return agent


def _name_and_options(text: str) -> tuple[str, str | None]:
    """What an agent's text is made of; None without a colon that options come after."""
    name, colon, options = text.partition(":")
    if name in _factories:
        return name, options if colon else None
    if pair.split(text):
        return text, None
    if parts := process.split(text):
        command, inner = parts
        return process.PREFIX + command, inner
    if parts := bot_file.split(text):
        file, kind, inner = parts
        return f"{file}:{kind}", inner
    return name, options if colon else None


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
        return _imported(_factories[name])
    if parts := pair.split(name):
        return partial(_pair, *parts)
    if parts := process.split(name):
        return partial(process.Process, parts[0])
    if parts := bot_file.split(name):
        return bot_file.bot_class(*parts[:2])
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
