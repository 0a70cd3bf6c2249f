"""The expert: weighs up, card by card, what a good player would say for and against it.

Each piece of judgement is a function with its reason, from what the seat sees (`sight.py`) to the
set of cards, or other actions, that it speaks about. `situations.py` lists which are asked when.
Each has a weight, and the action with the highest sum is chosen. So "keep your masters" and "ruff
with small trumps" need no order among themselves, and each can be switched off alone.
"""

from agents.expert.agent import Expert

__all__ = ["Expert"]
