"""Writes rungenv/table.svg, the picture in the README: `python tests/write_picture.py`."""

from pathlib import Path

import rungenv

PICTURE = Path(rungenv.__file__).parent / "table.svg"

ACTIONS = "CALL_D 2S 3S 5S 6S AS 7S 8S TS 3H 4H 7H QH AC 6D 3C 5C 5H JH AH 6H KS JS"
"""A round of double sar up to its sixth trick: two tricks picked up, three on the pile."""


def picture():
    tables = rungenv.deal(rungenv.variant("double_sar"), 1, seed=16)
    for action in ACTIONS.split():
        rungenv.step(tables, [rungenv.parse_action(action)])
    return rungenv.picture(tables, seat=0)


if __name__ == "__main__":
    PICTURE.write_text(picture().svg(), "utf-8")
