"""Frozen dataclasses from plain values, as YAML and JSON have them, and back again."""

import dataclasses
import types
import typing
from collections.abc import Mapping
from typing import Any, Literal, NoReturn

from rungenv.rules import nearest


def plain(value: Any) -> Any:
    """Dictionaries and tuples, however deep, as dictionaries and lists; enums as their text."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, tuple):
        return [plain(inner) for inner in value]
    return str(value) if isinstance(value, str) else value


def mapping(value: Any, where: str) -> dict[str, Any]:
    """The value, if it is a dictionary whose keys are text; else ValueError."""
    if not isinstance(value, dict):
        raise ValueError(f"{where} must hold keys and values, not {value!r}")
    for key in value:
        if not isinstance(key, str):
            raise ValueError(f"{where} has the key {key!r}, which is no name of an option")
    return value


def fill(kind: type, data: Mapping[str, Any], where: str) -> Any:
    """An instance of a dataclass from plain values; `where` is the dotted name before its keys."""
    hints = typing.get_type_hints(kind)
    values = {}
    for key, value in data.items():
        name = f"{where}{key}"
        if key not in hints:
            raise ValueError(f"no option is called {name!r}{nearest(key, tuple(hints))}")
        values[key] = _convert(value, hints[key], name)
    return kind(**values)


def _convert(value: Any, hint: Any, where: str) -> Any:
    """A plain value as the type that a field declares; ValueError names the field."""
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        if isinstance(value, hint):
            return value
        return fill(hint, mapping(value or {}, where), f"{where}.")
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        return None if value is None else _convert(value, arguments[0], where)
    if origin is Literal:
        if value not in arguments:
            _wrong(where, f"one of {', '.join(arguments)}", value)
        return value
    if origin is tuple:
        if not isinstance(value, list | tuple):
            _wrong(where, "a list", value)
        return tuple(_convert(inner, arguments[0], where) for inner in value)
    if hint is float and type(value) in (int, float):
        return float(value)
    if hint is float and isinstance(value, str):  # YAML reads 1e-3, without a point, as text
        try:
            return float(value)
        except ValueError:
            _wrong(where, "a number", value)
    if type(value) is not hint:
        names = {int: "a whole number", float: "a number", str: "text", bool: "true or false"}
        _wrong(where, names.get(hint, str(hint)), value)
    return value


def _wrong(where: str, wanted: str, value: Any) -> NoReturn:
    raise ValueError(f"{where} must be {wanted}, not {value!r}")
