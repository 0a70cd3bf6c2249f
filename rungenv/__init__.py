"""Court Piece (Rung): six games as reinforcement-learning environments."""

import importlib
from typing import TYPE_CHECKING, Any

from rungenv.actions import N_ACTIONS, action_name, parse_action
from rungenv.cards import card_name, parse_card, parse_cards
from rungenv.kernel import Events, IllegalAction, step
from rungenv.layout import FIELDS, LAYOUT_VERSION, N_FEATURES, Field
from rungenv.pictures import Picture, picture
from rungenv.registration import register
from rungenv.rules import VARIANTS, Rules, variant
from rungenv.state import Kind, Phase
from rungenv.table import Table
from rungenv.tables import Result, Tables, deal, deal_hands
from rungenv.view import View, hidden_hands, observe
from rungenv.words import explain

if TYPE_CHECKING:
    from rungenv.belief import worlds
    from rungenv.record import Record
    from rungenv.record_file import append_records, read_records, write_records
    from rungenv.recorder import Recorder
    from rungenv.recording import record_of

__all__ = [
    "FIELDS",
    "LAYOUT_VERSION",
    "N_ACTIONS",
    "N_FEATURES",
    "VARIANTS",
    "Events",
    "Field",
    "IllegalAction",
    "Kind",
    "Phase",
    "Picture",
    "Record",
    "Recorder",
    "Result",
    "Rules",
    "Table",
    "Tables",
    "View",
    "action_name",
    "append_records",
    "card_name",
    "deal",
    "deal_hands",
    "explain",
    "hidden_hands",
    "observe",
    "parse_action",
    "parse_card",
    "parse_cards",
    "picture",
    "read_records",
    "record_of",
    "step",
    "variant",
    "worlds",
    "write_records",
]

_ON_DEMAND = {
    "worlds": "belief",
    "Record": "record",
    "Recorder": "recorder",
    "record_of": "recording",
    "append_records": "record_file",
    "read_records": "record_file",
    "write_records": "record_file",
}
"""Names that are imported when somebody first asks for one, and from where."""


def __getattr__(name: str) -> Any:
    if name not in _ON_DEMAND:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"rungenv.{_ON_DEMAND[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


register()
