"""The games' ids in PettingZoo and in Gymnasium.

    pettingzoo.make("aec", "rungenv/single_sar-v0")
    gymnasium.make("rungenv/SingleSar-v0")
    gymnasium.make_vec("rungenv/SingleSar-v0", num_envs=64)

and so on. `import rungenv` registers them, but does not import those libraries for it, which takes
longer than all of the rules: the games are registered as soon as somebody else imports them.
"""

import importlib.util
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "single_sar": ("single_sar_v0", {}),
    "double_sar": ("double_sar_v0", {}),
    "hidden_rung": ("hidden_rung_v0", {}),
    "be_ranga": ("be_ranga_v0", {}),
    "mendikot": ("mendikot_v0", {}),
    "mendikot_band": ("mendikot_v0", {"trump": "hidden"}),
}
"""For each game the module with its environment, and the options that make it that game."""


def register() -> None:
    """Register every game with PettingZoo and Gymnasium, now or when they are imported."""
    when_imported("pettingzoo", _register_aec)
    when_imported("gymnasium", _register_seat)


def gymnasium_id(game: str) -> str:
    """A game's id in Gymnasium.

    >>> gymnasium_id("be_ranga")
    'rungenv/BeRanga-v0'
    """
    return f"rungenv/{game.title().replace('_', '')}-v0"


def _register_aec() -> None:
    import pettingzoo

    for game, (module, options) in GAMES.items():
        name = f"rungenv/{game}-v0"
        if name not in pettingzoo.aec_registry:
            pettingzoo.register("aec", name, f"rungenv.{module}:env", kwargs=options)


def _register_seat() -> None:
    import gymnasium

    for game in GAMES:
        if gymnasium_id(game) not in gymnasium.registry:
            gymnasium.register(
                gymnasium_id(game),
                "rungenv.seat_env:SeatEnv",
                vector_entry_point="rungenv.vector_env:RungVectorEnv",
                kwargs={"game": game},
            )


def when_imported(package: str, then: Callable[[], None]) -> None:
    """Do something once a package is imported: now if it is already."""
    if package in sys.modules:
        then()
    else:
        sys.meta_path.insert(0, _Watch(package, then))


class _Watch:
    """A finder that finds nothing itself, but notices one package's first import."""

    def __init__(self, package: str, then: Callable[[], None]) -> None:
        self.package = package
        self.then = then

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != self.package:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_do(module: ModuleType) -> None:
                execute(module)
                self.then()

            spec.loader.exec_module = execute_and_do
        return spec
