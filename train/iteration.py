"""Expert iteration: a search by the policy plays better than the policy, which learns to play so.

Now and then an update is not of self-play. A search that has the policy, as it stands, for its
prior and in its rollouts decides in its place, at some of the update's tables, and the policy is
taught these decisions (Anthony, Tian and Barber, Thinking fast and slow with deep learning and tree
search, 2017). The stronger policy then makes the next search stronger.

It is dear. At single sar with 16 worlds a decision takes the search 10 ms on one core, where to
collect one of self-play and learn from it takes 0.06 ms; and as the search tries no action that the
policy finds unlikely, and gives it the benefit of the doubt, it chose otherwise in less than 1 of
100 decisions of a policy that was trained already.
"""

from collections.abc import Sequence
from dataclasses import replace

from agents.network import NetworkAgent
from agents.search import Search
from rungenv.players import Player
from train.config import Config
from train.learner import Learner
from train.mixture import Portion
from train.settings import Iteration


def is_due(settings: Iteration, updates: int) -> bool:
    """Whether the update after so many is one that a search decides: the last of every few."""
    return settings.every > 0 and updates % settings.every == settings.every - 1


def searcher(learner: Learner, settings: Config) -> Player:
    """The search by the policy as it stands."""
    policy = NetworkAgent(learner.player(), settings.games, "policy")
    search = Search.by(policy, worlds=settings.iteration.worlds, payoff=settings.payoff)
    return Player("the search by the policy", search)


def some_of(portions: Sequence[Portion], share: float) -> tuple[Portion, ...]:
    """The first tables of each portion, that share of them, one at least."""
    return tuple(
        replace(portion, own=portion.own[: max(1, round(share * len(portion.own)))])
        for portion in portions
    )
