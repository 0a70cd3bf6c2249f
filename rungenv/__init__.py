"""Court Piece (Rung): six games as reinforcement-learning environments."""

from rungenv.actions import N_ACTIONS, action_name, parse_action
from rungenv.cards import card_name, parse_card, parse_cards
from rungenv.kernel import Events, IllegalAction, step
from rungenv.rules import VARIANTS, Rules, variant
from rungenv.state import Kind, Phase
from rungenv.tables import Result, Tables, deal, deal_hands

__all__ = [
    "N_ACTIONS",
    "VARIANTS",
    "Events",
    "IllegalAction",
    "Kind",
    "Phase",
    "Result",
    "Rules",
    "Tables",
    "action_name",
    "card_name",
    "deal",
    "deal_hands",
    "parse_action",
    "parse_card",
    "parse_cards",
    "step",
    "variant",
]
