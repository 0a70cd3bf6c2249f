"""The arena: agents measured against one another on duplicate deals.

`duel` is the short way, for two agents; `tournament.py` the whole of it, as `rung arena`
plays it.
"""

from train.arena.duels import BLOCK, Score, duel, game_name, table

__all__ = ["BLOCK", "Score", "duel", "game_name", "table"]
