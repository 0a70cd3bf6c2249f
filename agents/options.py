"""Options of agents: checked, and written back into the name that makes the agent again."""

import inspect
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
