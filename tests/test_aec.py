"""The PettingZoo environments: their interface, and that they tell what the kernel says."""

import copy
import importlib
import json
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test.state_test import test_state, test_state_space

import rungenv
from reference import deal_of
from rungenv import aec_saved
from rungenv.registration import GAMES
from rungenv.sealed import seal, unseal
from rungenv.window import Window

test_state.__test__ = test_state_space.__test__ = False  # called below, with our environments

AGENTS = ["player_0", "player_1", "player_2", "player_3"]
EPISODES = ("round", "match")
REMOVED = "removed"
"""In place of a value: there is none."""


def make(game, wrapped=False, **options):
    """An environment of a game."""
    module, preset = GAMES[game]
    module = importlib.import_module(f"rungenv.{module}")
    return (module.env if wrapped else module.raw_env)(**preset, **options)


def replaced(values, name, value):
    return {key: value if key == name else old for key, old in values.items()
            if key != name or value != REMOVED}  # fmt: skip


def play(env, seed=0, steps=10_000):
    """Play at random until the episode or the steps end.

    Yields before each step the agent, the action to come and the parts of last().
    """
    rng = np.random.default_rng(seed)
    for agent in env.agent_iter(steps):
        obs, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        action = None if over else rng.choice(np.flatnonzero(obs["action_mask"]))
        yield agent, action, obs, reward, over, info
        env.step(action)


def told(env):
    """All that an episode tells its agents from here to its end, in values that can be compared."""
    return [
        (agent, action, obs["observation"].tobytes(), reward, over, str(info))
        for agent, action, obs, reward, over, info in play(env)
    ]


@pytest.fixture(params=GAMES)
def game(request):
    return request.param


@pytest.fixture(params=EPISODES)
def episode(request):
    return request.param


class TestPettingZoo:
    """PettingZoo's own tests, for every game."""

    @pytest.mark.parametrize("wrapped", [False, True], ids=["raw_env", "env"])
    def test_api(self, game, episode, wrapped):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            # That test knows by name which environments observe a dictionary.
            for known in ("Observation is not a NumPy", "Observation space for each agent prob"):
                warnings.filterwarnings("ignore", message=known)
            api_test(make(game, wrapped, episode=episode), num_cycles=60)

    def test_seed(self, game, episode):
        seed_test(lambda: make(game, wrapped=True, episode=episode), num_cycles=60)

    def test_render(self, game, monkeypatch):
        monkeypatch.setattr(Window, "_wait", lambda window: None)
        render_test(lambda **options: make(game, wrapped=True, **options))

    def test_state(self, game):
        env = make(game, wrapped=True)
        test_state_space(env)
        test_state(env, num_cycles=10)

    def test_registry(self, game):
        options = {"episode": "match", "points_target": 2}
        env = pettingzoo.make("aec", f"rungenv/{game}-v0", **options)
        assert env.unwrapped.rules == rungenv.variant(game, points_target=2)
        assert env.unwrapped.episode == "match"
        assert env.metadata["name"] == str(env) == f"{GAMES[game][0]}"


def test_registering_imports_no_environment_library():
    """`import rungenv` is cheap, and still registers, before as well as after PettingZoo."""
    check = "import pettingzoo; pettingzoo.make('aec', 'rungenv/be_ranga-v0'); import rungenv"
    lazy = "import sys, rungenv; assert not {'pettingzoo', 'gymnasium'} & set(sys.modules); "
    for code in (lazy + check, "import pettingzoo, rungenv; " + check):
        subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


class TestTurns:
    def test_agents_spaces_and_metadata(self, game):
        env = make(game)
        env.reset(seed=1)
        assert env.agents == env.possible_agents == AGENTS
        assert env.metadata["is_parallelizable"] is False
        assert env.metadata["render_modes"] == ["human", "ansi", "rgb_array"]
        for agent in AGENTS:
            space = env.observation_space(agent)
            assert space["observation"].shape == (rungenv.N_FEATURES,)
            assert space["observation"].dtype == np.uint8
            assert space["action_mask"].dtype == np.int8
            assert env.action_space(agent).n == rungenv.N_ACTIONS

    @pytest.mark.parametrize("options", [{}, {"new_cards": 1}, {"collects": "pile"}], ids=str)
    def test_they_are_those_of_the_kernel(self, game, options):
        """Agent to act, view, mask and reward, next to a table of the kernel."""
        env = make(game, **options)
        env.reset(seed=11)
        tables = rungenv.deal(rungenv.variant(game, **options), 1, seed=11)
        for agent, action, obs, reward, over, info in play(env):
            if over:
                break
            seat = int(tables.seat[0])
            assert agent == AGENTS[seat]
            assert np.array_equal(obs["observation"], rungenv.observe(tables).dense()[0])
            assert np.array_equal(obs["action_mask"], tables.legal_mask()[0])
            assert np.array_equal(info["action_mask"], obs["action_mask"])
            assert reward == 0
            for other in set(AGENTS) - {agent}:
                seen = env.observe(other)
                view = rungenv.observe(tables, AGENTS.index(other))
                assert np.array_equal(seen["observation"], view.dense()[0])
                assert not seen["action_mask"].any()
                assert not env.infos[other]["action_mask"].any()
            events = rungenv.step(tables, np.array([action]))
        assert events.round_over[0]
        paid = events.points[0] @ [[1, -1], [-1, 1]]
        assert env.rewards == {agent: paid[i % 2] for i, agent in enumerate(AGENTS)}

    def test_an_info_shares_no_mask_with_the_observation(self):
        env = make("single_sar")
        env.reset(seed=3)
        for _, _, obs, _, over, info in play(env):
            before = info["action_mask"].copy()
            obs["action_mask"].setflags(write=True)
            obs["action_mask"][:] ^= 1
            assert np.array_equal(info["action_mask"], before)
            assert env.infos[env.agent_selection]["action_mask"] is info["action_mask"]
            assert over or before.any()
            obs["action_mask"][:] ^= 1

    def test_what_an_agent_gets_is_its_own_to_write_into(self):
        """Trainers turn it into tensors where it stands, which need that (TorchRL)."""
        env = make("mendikot")
        env.reset(seed=3)
        for _ in play(env):
            masks = [env.infos[agent]["action_mask"] for agent in env.agents]
            masks += [env.observe(agent)["action_mask"] for agent in AGENTS]
            views = [env.observe(agent)["observation"] for agent in AGENTS]
            assert all(array.flags.writeable for array in masks + views)
            assert len({array.ctypes.data for array in masks}) == len(masks)

    def test_an_observation_stays_as_it_was(self):
        env = make("single_sar")
        env.reset(seed=3)
        kept = [(obs, copy.deepcopy(obs)) for _, _, obs, *_ in play(env)]
        assert all(np.array_equal(obs[key], before[key]) for obs, before in kept for key in obs)


class TestEpisodes:
    def test_episodes_are_the_tables_of_a_seed(self, game):
        tables = rungenv.deal(rungenv.variant(game), 4, seed=5)
        env = make(game)
        for i in range(4):
            env.reset(seed=5 if i == 0 else None)
            assert np.array_equal(env.tables.deal[0], tables.deal[i])
            assert env.tables.dealer[0] == tables.dealer[i]

    def test_without_a_seed_one_is_drawn(self):
        deals = set()
        for _ in range(3):
            env = make("be_ranga")
            env.reset()
            deals.add(env.tables.deal.tobytes())
        assert len(deals) == 3

    def test_explicit_deals(self):
        hands = np.array(deal_of("C", "D", "H", "S"))
        env = make("single_sar")
        env.reset(seed=1, options={"hands": hands, "dealer": 1})
        assert np.array_equal(env.tables.deal[0], hands)
        assert env.agent_selection == "player_2"
        env.reset(options={"dealer": 0})
        assert env.agent_selection == "player_1"
        env.reset(seed=1, options={"hands": hands})
        assert env.tables.dealer[0] == rungenv.deal(env.rules, 1, seed=1).dealer[0]

    def test_a_round_pays_all_four_on_its_last_action(self, game):
        env = make(game)
        for seed in range(5):
            env.reset(seed=seed)
            ends = {}
            for agent, _, _, reward, over, info in play(env, seed):
                assert not env.truncations[agent]
                if over:
                    ends[agent] = reward, info
                else:
                    assert reward == 0
                    assert "round_over" not in info
            assert env.agents == []
            result = env.tables.result
            winner, points = result.winner[0], env.tables.points[0].max()
            assert set(ends) == set(AGENTS)
            for seat, agent in enumerate(AGENTS):
                reward, info = ends[agent]
                assert reward == (points if seat % 2 == winner else -points)
                assert info["round_over"]
                assert info["match_over"] is bool(env.tables.match_winner[0] >= 0)
                assert info["winner"] == winner
                assert info["kind"] is rungenv.Kind(result.kind[0])
                assert info["points"] == tuple(env.tables.points[0])
                assert not info["action_mask"].any()

    def test_reward_win_pays_one(self, game):
        env = make(game, reward="win")
        env.reset(seed=2)
        ends = [reward for *_, reward, over, _ in play(env) if over]
        assert sorted(ends) == [-1, -1, 1, 1]

    def test_a_match_pays_each_round_until_it_is_won(self, game):
        env = make(game, episode="match", points_target=3)
        env.reset(seed=4)
        total = dict.fromkeys(AGENTS, 0.0)
        rounds = {}
        for agent, _, _, reward, over, info in play(env):
            total[agent] += reward
            if "round_over" in info:
                rounds.setdefault(agent, []).append(info["points"])
                assert info["match_over"] is over
            assert (reward != 0) is ("round_over" in info)
        points = env.tables.points[0]
        assert points.max() >= 3
        assert env.tables.round[0] > 0
        for seat, agent in enumerate(AGENTS):
            assert total[agent] == points[seat % 2] - points[1 - seat % 2]
            assert np.array_equal(np.sum(rounds[agent], axis=0), points)

    def test_a_match_deals_what_next_round_deals(self):
        env = make("single_sar", episode="match")
        env.reset(seed=9)
        tables = rungenv.deal(env.rules, 1, seed=9)
        for _, action, *_, over, _ in play(env):
            if over:
                break
            if tables.seat[0] < 0:
                tables.next_round()
            assert np.array_equal(tables.deal, env.tables.deal)
            rungenv.step(tables, np.array([action]))
        assert tables.match_winner[0] >= 0

    def test_a_match_in_kots(self):
        env = make("single_sar", episode="match", scoring="kots", kots_target=1)
        env.reset(seed=0)
        for _, _, obs, *_ in play(env):
            assert env.observation_space("player_0").contains(obs)
        assert env.tables.kots.max() >= 1


class TestSavedStates:
    @pytest.mark.parametrize("steps", [0, 1, 17, 60])
    def test_save_and_load_go_on_alike(self, game, episode, steps):
        env, other = (make(game, episode=episode, points_target=2) for _ in range(2))
        env.reset(seed=1)
        env.reset()
        for _ in play(env, steps=steps):
            pass
        other.load_state(env.save_state())
        assert env.agents == other.agents
        if env.agents:
            assert told(env) == told(other)
        env.reset()
        other.reset()
        assert np.array_equal(env.tables.deal, other.tables.deal)

    @pytest.mark.parametrize("gone", range(5))
    def test_an_end_by_an_illegal_action_is_saved_as_far_as_it_has_come(self, gone):
        env, other = make("single_sar", wrapped=True), make("single_sar")
        env.reset(seed=1)
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
        for _ in range(gone):
            env.step(None)
        other.load_state(env.unwrapped.save_state())
        assert other.agents == env.unwrapped.agents
        assert len(other.agents) == 4 - gone
        assert other.rewards == env.unwrapped.rewards

    @pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
    def test_a_copy_is_alive_and_apart(self, copied):
        env = make("hidden_rung", wrapped=True, episode="match", points_target=2)
        env.reset(seed=1)
        for _ in play(env, steps=20):
            pass
        other = copied(env)
        before = env.unwrapped.save_state()
        seen = told(other)
        assert env.unwrapped.save_state() == before
        assert seen == told(env)

    def test_wrong_states_are_refused(self):
        env = make("single_sar")
        env.reset(seed=1)
        data = env.save_state()
        for bad, why in (
            (b"", "not a saved environment"),
            (data[:-1], "damaged"),
            (data[:80] + b"x" + data[81:], "damaged"),
            ("text", "must be bytes, not str"),
            (None, "must be bytes, not NoneType"),
            (rungenv.deal(env.rules, 1).save_state(), "not a saved environment"),
        ):
            with pytest.raises(ValueError, match=why):
                env.load_state(bad)
        for options in ({"episode": "match"}, {"reward": "win"}, {"points_target": 3}):
            with pytest.raises(ValueError, match="other rules"):
                make("single_sar", **options).load_state(data)
        assert env.save_state() == data

    @pytest.mark.parametrize("name", ["infos", "parts", "tables"])
    @pytest.mark.parametrize("value", [None, 5, [], {}, "???", {"player_0": 5}, REMOVED])
    def test_a_state_of_another_shape_is_refused_though_its_checksum_fits(self, name, value):
        self.refused(lambda state: replaced(state, name, value))

    @pytest.mark.parametrize("name", ["agents", "agent_selection", "rewards", "truncations"])
    @pytest.mark.parametrize("value", [None, 5, [], {}, "???", {"player_0": 5}, ["player_0"]])
    def test_so_are_wrong_parts(self, name, value):
        self.refused(lambda state: state | {"parts": replaced(state["parts"], name, value)})
        self.refused(lambda state: [state])

    def refused(self, change):
        env = make("single_sar")
        env.reset(seed=1)
        data = env.save_state()
        state = json.loads(unseal(aec_saved._MAGIC, data, "a saved environment"))
        bad = seal(aec_saved._MAGIC, json.dumps(change(state)).encode())
        with pytest.raises(ValueError, match=r"saved (environment|tables)"):
            env.load_state(bad)
        assert env.save_state() == data


class TestWrongInput:
    @pytest.mark.parametrize(
        ("options", "why"),
        [
            ({"episode": "game"}, "episode must be one of 'round', 'match', not 'game'"),
            ({"reward": "score"}, "reward must be one of 'points', 'win', not 'score'"),
            ({"render_mode": "rgb"}, "render_mode must be one of None, 'human', .*, not 'rgb'"),
            ({"reveal": 1}, "reveal must be one of False, True, not 1"),
            ({"perspective": "north"}, "perspective must be one of None, 'player_0'.* not 'north'"),
            ({"epsiode": "match"}, "double_sar has no option 'epsiode'; nearest: episode"),
            ({"no_late_pickups": True}, "no option 'no_late_pickups'; nearest: no_late_pickup"),
            ({"points_target": 0}, "points_target must be a whole number from 1 to 100, not 0"),
            ({"change_trump": 1}, "change_trump must be True or False, not 1"),
        ],
    )
    def test_options(self, options, why):
        with pytest.raises(ValueError, match=why):
            make("double_sar", **options)

    @pytest.mark.parametrize(
        ("seed", "options", "why"),
        [
            (-1, {}, "seed must be a whole number from 0 to .* not -1"),
            (2**63, {}, "seed must be a whole number from 0 to .* not 9223372036854775808"),
            ("x", {}, "seed must be a whole number from 0 to .* not 'x'"),
            ([1], {}, r"seed must be a whole number from 0 to .* not \[1\]"),
            (1.0, {}, "seed must be a whole number from 0 to .* not 1.0"),
            (True, {}, "seed must be a whole number from 0 to .* not True"),
            (1, [1], r"options must be a dict, not \[1\]"),
            (1, [], r"options must be a dict, not \[\]"),
            (1, "dealer", "options must be a dict, not 'dealer'"),
            (1, {"nothing like it": 2}, "reset has no option 'nothing like it'; known: dealer"),
            (1, {3: 2}, "reset has no option 3; known: dealer"),
            (1, {"dealer": "x"}, "dealer must be an int"),
            (1, {"dealer": 4}, "dealer must be from 0 to 3, not 4"),
            (1, {"dealers": 2}, "reset has no option 'dealers'; nearest: dealer"),
            (1, {"hands": np.zeros((4, 12))}, r"hands must have shape \(4, 13\).* not \(4, 12\)"),
            (1, {"hands": np.zeros((4, 13), int)}, "more than once: 2C; missing"),
            (1, {"hands": [[1, 2], [3]]}, "hands must be an array"),
            (1, {"hands": "AS"}, r"hands must have shape \(4, 13\), not \(\)"),
        ],
    )
    def test_reset(self, seed, options, why):
        env = make("single_sar")
        env.reset(seed=3)
        before = env.save_state()
        with pytest.raises(ValueError, match=why):
            env.reset(seed=seed, options=options)
        assert env.save_state() == before

    @pytest.mark.parametrize("action", [None, 1.0, "AS", [3], 61, -1, 2**70, True, False, np.True_])
    def test_actions(self, action):
        env = make("single_sar")
        env.reset(seed=3)
        before = env.save_state()
        with pytest.raises(ValueError, match=r"to 60|not legal"):
            env.step(action)
        assert env.save_state() == before

    def test_an_illegal_action_changes_nothing(self, game):
        env = make(game)
        env.reset(seed=3)
        for _, _, obs, _, over, _ in play(env, steps=30):
            if over:
                break
            before = env.save_state()
            with pytest.raises(rungenv.IllegalAction, match=r"seat \d: .* is not legal; legal: "):
                env.step(int(np.flatnonzero(obs["action_mask"] == 0)[0]))
            assert env.save_state() == before

    def test_an_illegal_action_ends_a_wrapped_episode(self, game):
        env = make(game, wrapped=True)
        env.reset(seed=3)
        obs, *_ = env.last()
        culprit = env.agent_selection
        env.step(int(np.flatnonzero(obs["action_mask"] == 0)[0]))
        paid = {agent: reward for agent, _, _, reward, over, _ in play(env) if over}
        assert paid == {agent: -1 if agent == culprit else 0 for agent in AGENTS}
        env.reset()
        assert env.agents == AGENTS

    def test_before_reset_and_after_the_end(self):
        env = make("be_ranga")
        env.render_mode = "ansi"
        for use in (
            lambda: env.step(0),
            lambda: env.observe("player_0"),
            lambda: env.tables,
            env.state,
            env.last,
            env.agent_iter,
            env.render,
            env.save_state,
        ):
            with pytest.raises(ValueError, match=r"reset\(\) first"):
                use()
        env.reset(seed=1)
        for _ in play(env):
            pass
        for use in (lambda: env.step(None), env.last):
            with pytest.raises(ValueError, match=r"reset\(\) first"):
                use()
        env.reset()
        assert env.agents == AGENTS

    @pytest.mark.parametrize("agent", ["player_4", "", None, 0, ["player_0"], {}])
    def test_agents(self, agent):
        env = make("be_ranga")
        env.reset(seed=1)
        for use in (env.observe, env.observation_space, env.action_space):
            with pytest.raises(ValueError, match=r"agent must be one of player_0, .* not "):
                use(agent)

    @pytest.mark.parametrize("action", [False, True])
    def test_a_bool_is_no_action_of_a_wrapped_environment(self, action):
        env = make("be_ranga", wrapped=True)
        env.reset(seed=1)
        with pytest.raises(ValueError, match=f"action must be a whole number .* not {action}"):
            env.step(action)

    def test_a_wrapped_environment_waits_for_its_reset(self):
        env = make("be_ranga", wrapped=True)
        for name in ("agents", "agent_selection", "rewards", "terminations", "infos"):
            with pytest.raises(AttributeError, match=f"{name} cannot be accessed before reset"):
                getattr(env, name)
        for use in (lambda: env.step(0), lambda: env.observe("player_0"), env.render):
            with pytest.raises(AssertionError, match="before"):
                use()
        env.reset(seed=1)
        assert env.agents is env.unwrapped.agents
        assert env.rewards is env.unwrapped.rewards

    def test_rendering_without_a_mode_warns(self):
        env = make("be_ranga")
        env.reset(seed=1)
        with pytest.warns(UserWarning, match="render_mode"):
            assert env.render() is None
