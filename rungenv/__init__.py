"""Court Piece (Rung): six games as reinforcement-learning environments."""

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
    "Result",
    "Rules",
    "Table",
    "Tables",
    "View",
    "action_name",
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
    "step",
    "variant",
]

register()
