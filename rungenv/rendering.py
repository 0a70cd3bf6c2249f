"""What an environment's `render()` gives, by its render mode. No rules.

- "ansi": the table as text, 80 columns wide;
- "rgb_array": the table as pixels, (640, 1000, 3) uint8;
- "human": a window that shows the table after every action. One that the person closes stays
  closed, and the game goes on without it.

The last two need pygame, which the extra `render` brings. Every picture shows what one seat may
know, and all hands with the environment's option `reveal=True`.
"""

from typing import Any

import numpy as np

from rungenv import screen
from rungenv.checks import one_of
from rungenv.pictures import Picture
from rungenv.tabletop import SIZE
from rungenv.window import Window

RENDER_MODES = ["human", "ansi", "rgb_array"]
RENDER_FPS = 2
"""Actions a second that a window shows, and of a film."""


def checked_mode(mode: Any, modes: list[str]) -> str | None:
    """One of the modes, or None; else ValueError, and ImportError for a window without pygame.

    Pixels need pygame only once they are asked for: Stable-Baselines3 makes every environment with
    the mode "rgb_array", and most are never looked at.
    """
    if one_of("render_mode", mode, (None, *modes)) == "human":
        screen.pygame()
    return mode


def rendered(picture: Picture, mode: str, window: Window) -> str | np.ndarray | None:
    """The picture as text or pixels; in the mode "human" the window shows it, and None."""
    if mode == "ansi":
        return picture.text()
    if mode == "rgb_array":
        return picture.rgb()
    window.show(picture.drawing(), SIZE)
    return None
