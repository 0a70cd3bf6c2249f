"""What an agent is held to when it is asked: each way to fail, and that no other row suffers."""

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import failing
import rungenv
from agents.base import AgentFailure, NotStarted, OutOfTime, SeesAllHands
from agents.greedy import Greedy
from agents.pair import Pair
from train.arena.asking import NONE, ask

TABLES = rungenv.deal(rungenv.variant("be_ranga"), 24, seed=5)
VIEW = rungenv.observe(TABLES)
ROWS = np.arange(2, 22)
AT = failing.holding(51)
BAD = np.flatnonzero(AT(VIEW.take(ROWS)))
GREEDY = Greedy().act(VIEW.take(ROWS), None)


FEW = np.concatenate([BAD[:2], np.setdiff1d(np.arange(len(ROWS)), BAD)[:3]])
"""Places in ROWS: two at fault and three that are not."""


def asked(agent, clock=None, rows=ROWS):
    return ask(agent, TABLES, VIEW, rows, np.random.default_rng(0), clock)


def test_the_position_has_both_kinds_of_rows():
    assert 2 <= len(BAD) < len(ROWS) - 2


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (failing.Crashes, "broke: KeyError: 'no such card' (failing.py, line "),
        (
            failing.Illegal,
            "answered 61, which is not legal: an action is a number from 0 to 60; legal: ",
        ),
        (failing.Floats, "must answer a view of 1 row with as many ints, not with float64"),
        (failing.TooMany, "must answer a view of 1 row with as many ints, not with int64 of "),
        (failing.OneByOne, "ended"),
    ],
)
def test_only_the_rows_at_fault_fail(kind, reason):
    answers = asked(kind(AT))
    assert sorted(answers.failures) == BAD.tolist()
    assert (answers.actions[BAD] == NONE).all()
    good = np.setdiff1d(np.arange(len(ROWS)), BAD)
    np.testing.assert_array_equal(answers.actions[good], GREEDY[good])
    for failure in answers.failures.values():
        assert failure.agent == "failing"
        assert reason in failure.reason
        assert not isinstance(failure, OutOfTime)


def test_what_never_ends_is_stopped_and_the_rows_at_fault_are_found():
    clock = 0.25
    answers = asked(failing.Endless(AT), clock, ROWS[FEW])
    assert sorted(answers.failures) == [0, 1]
    assert all(isinstance(failure, OutOfTime) for failure in answers.failures.values())
    assert "took longer over a decision than 0.25 s" in str(answers.failures[0])
    np.testing.assert_array_equal(answers.actions[2:], GREEDY[FEW[2:]])
    # A batch's clock once, and then one for each row that does not end.
    assert answers.seconds >= clock * (5 + 2) * 0.99


def test_what_cannot_be_interrupted_is_late_all_the_same():
    class Slow(failing.Failing):
        def fail(self, actions, bad):
            time.sleep(1.3)
            return actions

    with ThreadPoolExecutor(1) as elsewhere:  # where no alarm can ring
        answers = elsewhere.submit(asked, Slow(AT), 0.25, ROWS[FEW]).result()
    assert sorted(answers.failures) == [0, 1]
    assert all(isinstance(failure, OutOfTime) for failure in answers.failures.values())
    np.testing.assert_array_equal(answers.actions[2:], GREEDY[FEW[2:]])


def test_without_a_clock_nothing_is_too_slow():
    class Slow(Greedy):
        def act(self, view, rng):
            time.sleep(0.02)
            return super().act(view, rng)

    answers = asked(Slow())
    assert not answers.failures
    assert answers.seconds >= 0.02


def test_an_agent_with_a_clock_of_its_own_is_told_the_clock_and_not_interrupted():
    class OwnClock(failing.OneByOneLate):
        told = None

        def set_clock(self, seconds):
            self.told = seconds

        def act(self, view, rng):
            time.sleep(0.03)
            return super().act(view, rng)

    agent = OwnClock(AT)
    answers = asked(agent, clock=0.001)
    assert agent.told == 0.001
    assert sorted(answers.failures) == BAD.tolist()
    assert all(isinstance(failure, OutOfTime) for failure in answers.failures.values())


def test_a_clock_reaches_those_that_an_agent_is_made_of():
    class OwnClock(Greedy):
        told = None

        def set_clock(self, seconds):
            self.told = seconds

    first, second = OwnClock(), OwnClock()
    assert not asked(Pair(first, Pair(Greedy(), second)), clock=7.0).failures
    assert (first.told, second.told) == (7.0, 7.0)


def test_what_has_not_begun_is_asked_once_for_all_rows():
    class Absent(Greedy):
        calls = 0

        def act(self, view, rng):
            self.calls += 1
            raise NotStarted("absent", "did not begin")

    agent = Absent()
    answers = asked(agent)
    assert agent.calls == 1
    assert sorted(answers.failures) == [*range(len(ROWS))]
    assert (answers.actions == NONE).all()


@pytest.mark.parametrize("kind", [failing.Crashes, failing.Illegal, failing.OneByOne])
def test_after_a_failure_nobody_is_asked_on_unless_that_is_wanted(kind):
    agent = kind(AT)
    calls = []
    act, agent.act = agent.act, lambda view, rng: calls.append(len(view)) or act(view, rng)
    rng = np.random.default_rng(0)
    answers = ask(agent, TABLES, VIEW, ROWS, rng, to_the_end=False)
    assert min(answers.failures) == BAD[0]
    assert sum(calls) <= len(ROWS) + BAD[0] + 1


def test_a_row_without_what_came_before_it_is_no_row():
    failure = AgentFailure("mine", "broke", row=2)
    assert (failure.row, failure.answered.tolist()) == (None, [])
    failure = AgentFailure("mine", "broke", 2, np.array([4, 5]))
    assert (failure.row, failure.answered.tolist()) == (2, [4, 5])

    class NamesARow(failing.Failing):
        def fail(self, actions, bad):
            raise AgentFailure(self.name, "broke", int(bad[0]))

    assert sorted(asked(NamesARow(AT)).failures) == BAD.tolist()


def test_an_agent_that_sees_all_hands_is_shown_the_tables():
    class Peeks:
        name = "peeks"

        def act(self, view, rng):
            raise AssertionError("it is to be shown the tables")

        def act_on_tables(self, tables, rng):
            self.seen = tables
            return Greedy().act(rungenv.observe(tables), rng)

    agent = Peeks()
    assert isinstance(agent, SeesAllHands)
    assert not isinstance(Greedy(), SeesAllHands)
    np.testing.assert_array_equal(asked(agent).actions, GREEDY)
    np.testing.assert_array_equal(agent.seen.deal, TABLES.deal[ROWS])


def test_ctrl_c_inside_an_agent_is_no_failure_of_it():
    class Interrupted(failing.Failing):
        def fail(self, actions, bad):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asked(Interrupted(), clock=5)
