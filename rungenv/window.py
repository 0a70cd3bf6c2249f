"""A window that shows what an environment draws, by pygame."""

import time
from collections.abc import Sequence
from typing import Any

from rungenv.drawing import Item
from rungenv.screen import paint, pygame


class Window:
    """A window for one environment. One that the person closes stays closed, and nothing waits.

    It can be copied and saved with its environment: it keeps nothing of pygame's.
    """

    def __init__(self, title: str, fps: float) -> None:
        """fps: the most pictures a second that are shown."""
        self.title = title
        self.fps = fps
        self._is_open = False
        self._is_closed_by_person = False
        self._next = 0.0  # when the next picture may follow

    def show(self, items: Sequence[Item], size: tuple[int, int]) -> None:
        """Show a picture of that size, once the last one has been in sight for long enough.

        RuntimeError where there is no display.
        """
        self._wait()
        if self._is_closed_by_person:
            return
        pg = pygame()
        surface = pg.display.get_surface()
        if not self._is_open or surface is None or surface.get_size() != size:
            surface = _opened(size)
            self._is_open = True
        pg.display.set_caption(self.title)
        paint(items, surface)
        pg.display.flip()
        self._next = time.monotonic() + 1 / self.fps
        self._listen()

    def close(self) -> None:
        """Close the window if it is open; `show` opens a new one, whoever closed the last."""
        if self._is_open:
            pygame().display.quit()
        self._is_open = self._is_closed_by_person = False

    def _wait(self) -> None:
        while self._is_open and (left := self._next - time.monotonic()) > 0:
            time.sleep(min(left, 0.02))
            self._listen()

    def _listen(self) -> None:
        """Let the window answer, and see whether the person closes it; other events are left."""
        pg = pygame()
        if pg.display.get_init() and pg.event.get(pg.QUIT):
            self.close()
            self._is_closed_by_person = True


def _opened(size: tuple[int, int]) -> Any:
    pg = pygame()
    try:
        pg.display.init()
        return pg.display.set_mode(size)
    except pg.error as error:
        raise RuntimeError(
            f"no window can be opened here ({error}): use render_mode 'rgb_array' or 'ansi'"
        ) from None
