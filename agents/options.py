"""Options of agents: read, checked, and written back into the name that makes the agent again."""

import functools
import inspect
import types
import typing
from ast import literal_eval
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

Number = TypeVar("Number", int, float)


def checked(option: str, value: Number, low: Number, high: Number) -> Number:
    """The value of a number from low to high, a whole one if these are; ValueError for others."""
    whole = type(low) is int and type(high) is int
    kinds = (int,) if whole else (int, float)
    if type(value) not in kinds or not low <= value <= high:
        kind = "a whole number" if whole else "a number"
        raise ValueError(f"{option} must be {kind} from {low} to {high}, not {value!r}")
    return value


def described(name: str, factory: Any, given: dict[str, Any]) -> str:
    """The text that makes an agent again: its name and the options that differ from the defaults.

    factory: the class or function whose keyword parameters are the options; given: their values.

    >>> class Mine:
    ...     def __init__(self, worlds: int = 8) -> None: ...
    >>> described("mine", Mine, {"worlds": 8}), described("mine", Mine, {"worlds": 16})
    ('mine', 'mine:worlds=16')
    """
    parameters = inspect.signature(factory).parameters.values()
    options = [
        f"{option.name}={given[option.name]}"
        for option in parameters
        if given[option.name] != option.default
    ]
    return f"{name}:{','.join(options)}" if options else name


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


def option_values(
    name: str, factory: Callable[..., Any], written: Mapping[str, str]
) -> dict[str, Any]:
    """The values of options as they are written, each of the kind that its parameter asks for.

    factory: what has them for parameters; one without an annotation, or with another than int,
    float, bool, str and None, takes what the text means. ValueError names what is of another kind.

    >>> def mine(depth: int = 2, style: str = "plain") -> None: ...
    >>> option_values("mine", mine, {"depth": "3", "style": "7"})
    {'depth': 3, 'style': '7'}
    """
    kinds = _kinds(factory)
    return {
        option: _value(name, option, text, kinds.get(option)) for option, text in written.items()
    }


def _kinds(factory: Any) -> dict[str, Any]:
    """The annotations of a factory's parameters; none where they name what is not there."""
    while isinstance(factory, functools.partial):
        factory = factory.func
    try:
        return typing.get_type_hints(factory.__init__ if isinstance(factory, type) else factory)
    except (NameError, AttributeError, TypeError):
        return {}


def _value(name: str, option: str, text: str, kind: Any) -> Any:
    value = plain_value(text)
    union = isinstance(kind, types.UnionType) or typing.get_origin(kind) is typing.Union
    kinds = typing.get_args(kind) if union else (kind,)
    if not set(kinds) <= {*_WORDS, types.NoneType} or type(value) in kinds:
        return value
    if str in kinds:
        return text
    if float in kinds and type(value) is int:
        return value
    wanted = " or ".join(words for kind, words in _WORDS.items() if kind in kinds)
    raise ValueError(f"{name}: {option} must be {wanted}, not {value!r}")


_WORDS = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}
