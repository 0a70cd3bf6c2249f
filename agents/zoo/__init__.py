"""Trained agents that come with the package: weights, and a card that says where they are from.

`agents.make("zoo/double_sar")` makes one. Each is three files of one name: `.safetensors`, the
weights; `.json`, its card as data; `.md`, its card for people. `rung export` writes all three.
"""

from pathlib import Path

from rungenv.rules import nearest

PREFIX = "zoo/"
_FOLDER = Path(__file__).parent


def names() -> tuple[str, ...]:
    """The agents in the zoo, as `agents.make` knows them."""
    return tuple(f"{PREFIX}{path.stem}" for path in sorted(_FOLDER.glob("*.safetensors")))


def weights(name: str) -> Path:
    """The file of an agent's weights; ValueError, with the nearest names, for an unknown one."""
    if name not in names():
        raise ValueError(f"the zoo has no {name!r}{nearest(name, names())}")
    return _FOLDER / f"{name.removeprefix(PREFIX)}.safetensors"
