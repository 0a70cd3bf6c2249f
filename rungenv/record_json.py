"""Values out of parsed JSON; ValueError says which is missing or wrong, and where."""

from typing import Any

from rungenv.rules import nearest

_REQUIRED = object()
_KINDS = {int: "a whole number", str: "a text", list: "a list", dict: "an object of JSON"}


def field_of(
    where: str, data: dict[str, Any], key: str, kind: type, default: Any = _REQUIRED
) -> Any:
    """The value of a key, which must be of this kind; without a default it must be there."""
    value = data.get(key, default)
    if value is _REQUIRED:
        raise ValueError(f"{where}: {key} is missing")
    if value is not default and type(value) is not kind:
        raise ValueError(f"{where}: {key} must be {_KINDS[kind]}, not {value!r}")
    return value


def count_of(where: str, data: dict[str, Any], key: str, high: int) -> int | None:
    """A whole number from 0 to `high`, or None if it is not there."""
    value = field_of(where, data, key, int, None)
    if value is not None and not 0 <= value <= high:
        raise ValueError(f"{where}: {key} must be from 0 to {high}, not {value}")
    return value


def check_keys(where: str, data: Any, known: tuple[str, ...]) -> None:
    """Refuse what is no object of JSON, or has another key than these."""
    if not isinstance(data, dict):
        raise ValueError(f"{where} must be an object of JSON, not {data!r}")
    for key in data:
        if key not in known:
            raise ValueError(f"{where} has no {key!r}{nearest(key, known)}")
