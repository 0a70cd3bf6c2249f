"""A view in words, for a person who wants to know what an agent saw; and what its columns are."""

from collections.abc import Callable

import numpy as np

from rungenv.actions import action_name, action_names
from rungenv.cards import CARD_NAMES, SUIT_NAMES, cards_text
from rungenv.checks import whole
from rungenv.layout import FIELDS, LAYOUT_VERSION, N_FEATURES, SETS, SMALLS, Form
from rungenv.state import Phase
from rungenv.view import LAID, NOTHING, View

SEAT_NAMES = ("me", "next", "partner", "previous")
TEAM_NAMES = ("us", "them")

_SUITS_OF = ("led", "trump")


def explain(view: View, row: int = 0) -> str:
    """One row of a view in words: every part that says something, then the actions so far.

    Parts that are empty, none or zero are left out. ValueError for a row that the view lacks.

    >>> from rungenv import deal, observe, variant
    >>> print(explain(observe(deal(variant("single_sar"), 1, seed=3))).splitlines()[0])
    seat 1 sees, counting seats from itself:
    """
    row = whole("row", row, 0, len(view) - 1)
    lines = [f"seat {view.seat[row]} sees, counting seats from itself:"]
    facts = [("legal", action_names(view.legal[row]))]
    facts += [(part.name, _words(part.name, part.form, view, row)) for part in SETS + SMALLS]
    lines += [f"  {name:<16} {words}" for name, words in facts if words]
    lines.append(f"  {'history':<16} {_history(view, row)}")
    return "\n".join(lines)


def _words(name: str, form: Form, view: View, row: int) -> str:
    """What a part says at a row; nothing for what is empty, or said by another part."""
    values = np.atleast_1d(getattr(view, name)[row]).tolist()
    if name.endswith(("_set", "_sets")) or name.startswith("legal_"):
        return ""
    say = _sayer(name, form)
    if len(values) == 1:
        return say(values[0])
    names = TEAM_NAMES if len(values) == 2 else SEAT_NAMES
    said = [(who, say(value)) for who, value in zip(names, values, strict=True)]
    return ", ".join(f"{who} {words}" for who, words in said if words)


def _sayer(name: str, form: Form) -> Callable[[int], str]:
    if form == Form.SET:
        return cards_text
    if form == Form.CARD:
        return lambda value: CARD_NAMES[value] if value >= 0 else ""
    if name == "phase":
        return lambda value: Phase(value).name
    if name in _SUITS_OF:
        return lambda value: SUIT_NAMES[value] if value >= 0 else ""
    if name == "voids":
        return lambda value: " ".join(s for i, s in enumerate(SUIT_NAMES) if value >> i & 1)
    if form == Form.SEAT or (form == Form.CHOICE and name != "trick_size"):
        return lambda value: SEAT_NAMES[value] if value >= 0 else ""
    if form == Form.BITS:
        return lambda value: "yes" if value else ""
    return lambda value: str(value) if value else ""


def _history(view: View, row: int) -> str:
    """The actions so far, in order, each with whose it was."""
    actions, seats = view.history_actions()[row], view.history_seats()[row]
    said = []
    for action, seat in zip(actions.tolist(), seats.tolist(), strict=True):
        if action == NOTHING:
            break
        said.append(
            f"{SEAT_NAMES[seat]} {'lays a card' if action == LAID else action_name(action)}"
        )
    return ", ".join(said) or "nothing yet"


def fields_table() -> str:
    """The dense view's columns as a Markdown table; the file FIELDS.md is this text."""
    lines = [
        "# The columns of a dense view",
        "",
        f"Layout version {LAYOUT_VERSION}: {N_FEATURES} columns of uint8, each from 0 to its "
        "highest value. Card",
        "sets have one column a card, 13 * suit + rank, clubs first; seats are me, next, partner,",
        "previous; teams are mine, theirs. `rungenv.words.fields_table` writes this text.",
        "",
        "| field | columns | highest | meaning | rule |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| `{field.name}` | {field.start} to {field.columns.stop - 1} | {field.high} "
        f"| {field.meaning} | {field.rule} |"
        for field in FIELDS.values()
    ]
    return "\n".join(lines + _OTHER_FORMS)


_OTHER_FORMS = f"""
## The other forms of a view

- **float32**, `view.dense(dtype=np.float32)`: each column divided by its highest value, so all are
  from 0 to 1;
- **packed**: the view's two blocks, `view.sets` (card sets, uint64) and `view.smalls` (small
  numbers, int8), with a row for each part that `rungenv.layout` declares;
- **history**, `view.history_pairs()`, (n, h, 2) uint8: the round's actions in order, each with the
  seat whose it was, counted from the viewer. {LAID} is a card that another seat laid face down;
  after the last action come pairs of {NOTHING} and 0.

The Gymnasium environments observe any of them: `observation=` "dense", "float", "packed" or
"history", and `fields=` names the columns that are wanted. The layout version is in every network's
file and every record; a network of another one is refused.""".splitlines()
