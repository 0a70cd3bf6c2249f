"""OpenSpiel: four of its IS-MCTS bots play a round, each searching what its seat cannot see.

    python notebooks/interop/openspiel_is_mcts.py --game mendikot_band --simulations 100

Before each simulation the bot asks for a state that its player cannot tell from the true one, which
`rungenv.belief` draws. OpenSpiel's bot in C++ (`pyspiel.ISMCTSBot`) cannot ask a game that is
written in Python; that in Python can.
"""

import numpy as np
import pyspiel
import tyro
from open_spiel.python.algorithms import ismcts, mcts

from rungenv import openspiel


def bot(game: pyspiel.Game, simulations: int, seed: int) -> ismcts.ISMCTSBot:
    """A player that values positions by one random playout each."""
    random = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    most = game.max_utility()
    return ismcts.ISMCTSBot(game, evaluator, most, simulations, random_state=random)


def main(
    game: str = "single_sar", simulations: int = 20, seed: int = 0, show: bool = True
) -> pyspiel.State:
    """Play a round and return its last state; show: print each action as it is chosen."""
    spiel = pyspiel.load_game(openspiel.PREFIX + game)
    bots = [bot(spiel, simulations, seed + player) for player in range(4)]
    chance = np.random.default_rng(seed)
    state = spiel.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            cards, shares = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(chance.choice(cards, p=shares)))
            continue
        player = state.current_player()
        action = int(bots[player].step(state))
        if show:
            print(f"player {player}: {state.action_to_string(player, action)}")
        state.apply_action(action)
    if show:
        print(state)
        print("returns:", state.returns())
    return state


if __name__ == "__main__":
    tyro.cli(main)
