"""Players: everything that chooses an action from what a seat may know.

>>> import agents
>>> agents.make("greedy").name
'greedy'

One of your own takes a class with a `name` and an `act`, and one line:
`agents.register("mine", Mine)`.
"""

from agents.base import Agent, AgentFailure, NotStarted, OutOfTime
from agents.registry import make, names, register

__all__ = ["Agent", "AgentFailure", "NotStarted", "OutOfTime", "make", "names", "register"]
