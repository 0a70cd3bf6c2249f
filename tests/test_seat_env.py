"""The one-seat Gymnasium environment: its interface, and that it tells what the kernel says."""

import copy
import pickle
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import agents
import rungenv
from reference import deal_of
from rungenv.registration import gymnasium_id
from rungenv.seat_env import SeatEnv
from rungenv.seating import ILLEGAL_COSTS

EPISODES = ("round", "match")


def make(game="single_sar", **options):
    """An environment without Gymnasium's wrappers."""
    return gymnasium.make(gymnasium_id(game), **options).unwrapped


def lowest(view, rng):
    """A player without any chance: the lowest legal action."""
    return view.legal_mask().argmax(axis=1)


def play(env, **reset):
    """Play one episode at random; yields what reset and each step returned."""
    rng = np.random.default_rng(0)
    obs, info = env.reset(**reset)
    yield obs, 0.0, False, False, info
    while info["action_mask"].any():
        obs, reward, terminated, truncated, info = env.step(random_legal(info, rng))
        yield obs, reward, terminated, truncated, info


def random_legal(info, rng):
    return rng.choice(np.flatnonzero(info["action_mask"]))


def told(env, **reset):
    """All that an episode tells, in values that can be compared."""
    return [(obs.tobytes(), reward, over, str(info)) for obs, reward, over, _, info in
            play(env, **reset)]  # fmt: skip


@pytest.fixture(params=rungenv.VARIANTS)
def game(request):
    return request.param


@pytest.fixture(params=EPISODES)
def episode(request):
    return request.param


class TestGymnasium:
    """Gymnasium's own checks, for every game."""

    @pytest.mark.parametrize("flat", [True, False], ids=["flat", "dict"])
    @pytest.mark.filterwarnings("error")
    def test_check_env(self, game, episode, flat):
        renders = flat and episode == "round"  # it takes time: a window shows each action
        check_env(make(game, episode=episode, flat=flat), skip_render_check=not renders)

    def test_wrapped_as_usual(self, game):
        """With the wrappers of `make`, one of which checks every call."""
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            env = gymnasium.make(gymnasium_id(game))
            *_, (_, reward, terminated, truncated, _) = play(env, seed=1, options={})
        assert terminated
        assert not truncated
        assert reward != 0

    def test_registering_imports_no_environment_library(self):
        check = "import gymnasium; gymnasium.make('rungenv/BeRanga-v0'); import rungenv"
        lazy = "import sys, rungenv; assert 'gymnasium' not in sys.modules; "
        for code in (lazy + check, "import gymnasium, rungenv; " + check):
            subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)

    def test_spaces(self, game):
        flat, nested = make(game), make(game, flat=False)
        assert flat.action_space.n == rungenv.N_ACTIONS
        assert flat.observation_space.shape == (rungenv.N_FEATURES,)
        assert flat.observation_space == nested.observation_space["observation"]
        assert nested.observation_space["action_mask"].shape == (rungenv.N_ACTIONS,)


class TestPlay:
    def test_it_is_the_kernels(self, game, episode):
        """Views, masks, pay and results, next to a table of the kernel; greedy has no chance."""
        greedy, seat = agents.make("greedy"), 1
        options = {"episode": episode, "points_target": 2}
        env = make(game, seat=seat, partner=greedy, opponents=lowest, **options)
        tables = rungenv.deal(env.seating.rules, 1, seed=5)
        rng = np.random.default_rng(0)
        obs, info = env.reset(seed=5)
        over, paid = False, 0.0
        while not over:
            while tables.seat[0] != seat:
                player = greedy.act if tables.seat[0] == 3 else lowest
                events = rungenv.step(tables, player(rungenv.observe(tables), rng))
                assert not events.round_over[0], "the step before should have seen this"
            view = rungenv.observe(tables, seat)
            assert (obs == view.dense()[0]).all()
            assert (info["action_mask"] == view.legal_mask()[0]).all()
            assert (env.action_masks() == view.legal_mask()[0]).all()
            action = random_legal(info, rng)
            obs, reward, over, _, info = env.step(action)
            events = rungenv.step(tables, np.array([action]))
            while not events.round_over[0] and tables.seat[0] != seat:
                player = greedy.act if tables.seat[0] == 3 else lowest
                events = rungenv.step(tables, player(rungenv.observe(tables), rng))
            points = events.points[0]
            assert reward == points[seat % 2] - points[1 - seat % 2]
            assert info["round_over"] == events.round_over[0]
            assert info["match_over"] == events.match_over[0]
            assert info["points"] == tuple(points)
            assert info["kots"] == tuple(events.kots[0])
            assert info["winner"] == (tables.winner[0] if events.round_over[0] else -1)
            assert info["kind"] == (tables.kind[0] if events.round_over[0] else rungenv.Kind.NONE)
            paid += reward
            if events.round_over[0] and not over:
                tables.next_round()
        assert (obs == rungenv.observe(tables, seat).dense()[0]).all()
        assert not info["action_mask"].any()
        if episode == "match":
            assert events.match_over[0]
            assert paid == (tables.points[0, 1] - tables.points[0, 0])

    def test_reward_win(self):
        env = make("single_sar", reward="win", opponents=agents.make("greedy"))
        for _ in range(20):
            *_, (_, reward, _, _, info) = play(env)
            assert reward == (1 if env.seat % 2 == info["winner"] else -1)

    def test_the_seat_is_drawn_or_fixed(self):
        env = make()
        env.reset(seed=3)
        seats = [env.reset()[1]["seat"] for _ in range(80)]
        assert set(seats) == {0, 1, 2, 3}
        assert {make(seat=2).reset()[1]["seat"] for _ in range(8)} == {2}

    def test_dict_observation_has_the_same(self):
        flat, nested = make(), make(flat=False)
        for one, other in zip(play(flat, seed=1), play(nested, seed=1), strict=True):
            assert (one[0] == other[0]["observation"]).all()
            assert (one[4]["action_mask"] == other[0]["action_mask"]).all()

    def test_players_are_given_batches_of_one_that_are_to_act(self):
        asked = []

        def player(view, rng):
            asked.append((len(view), int(view.seat[0]), bool(view.legal[0])))
            return lowest(view, rng)

        list(play(make(seat=0, partner=player)))
        assert set(asked) == {(1, 2, True)}

    def test_rules_options_and_chosen_deals(self):
        env = make("hidden_rung", trump="cut", points_target=3)
        assert env.seating.rules == rungenv.variant("hidden_rung", trump="cut", points_target=3)
        hands = deal_of("C", "D", "H", "S")
        env = make("be_ranga", seat=0)
        env.reset(options={"hands": hands, "dealer": 3})
        assert env.tables.deal[0].tolist() == hands
        assert env.tables.dealer[0] == 3
        assert env.action_masks()[:13].all()


class TestSeeds:
    def test_a_seed_repeats_episodes(self, game, episode):
        options = {"episode": episode, "points_target": 2}
        env = make(game, **options)
        first = told(env, seed=7), told(env)
        assert first == (told(env, seed=7), told(env))
        assert first[0] != first[1]
        assert told(make(game, **options), seed=8) != first[0]

    def test_it_deals_what_the_kernel_deals(self, game):
        env = make(game)
        env.reset(seed=11)
        tables = rungenv.deal(rungenv.variant(game), 1, seed=11)
        assert (env.tables.deal == tables.deal).all()
        env.reset()
        tables.new_match()
        assert (env.tables.deal == tables.deal).all()

    def test_unseeded_environments_differ(self):
        assert told(make()) != told(make())

    def test_copies_go_on_alike(self):
        env = make(opponents=agents.make("greedy"))
        env.reset(seed=2)
        twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        for twin in twins:
            assert told(twin) == told(copy.deepcopy(env))


class TestIllegalActions:
    @pytest.mark.parametrize("reward", ["points", "win"])
    def test_one_ends_the_episode_and_costs(self, game, reward):
        env = make(game, reward=reward)
        before, info = env.reset(seed=1)
        action = np.flatnonzero(info["action_mask"] == 0)[0]
        obs, paid, terminated, truncated, info = env.step(action)
        assert (paid, terminated, truncated) == (-ILLEGAL_COSTS[reward], True, False)
        assert info["illegal_action"] is True
        assert (obs == before).all()
        assert not info["action_mask"].any()
        with pytest.raises(ValueError, match="reset"):
            env.step(action)
        assert not env.reset()[1]["illegal_action"]

    def test_none_costs_less_than_a_round(self):
        """So that giving up is never the better choice."""
        for name in rungenv.VARIANTS:
            tables = rungenv.deal(rungenv.variant(name), 512, seed=1)
            random = agents.make("random")
            rng = np.random.default_rng(0)
            while (tables.seat >= 0).any():
                events = rungenv.step(tables, random.act(rungenv.observe(tables), rng))
                assert events.points.max() < ILLEGAL_COSTS["points"]


class TestBadInput:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"seat": 4}, "seat must be .* 0 to 3, not 4"),
            ({"seat": True}, "seat must be .*, not True"),
            ({"episode": "game"}, "episode must be one of 'round', 'match', not 'game'"),
            ({"reward": "tricks"}, "reward must be one of 'points', 'win', not 'tricks'"),
            ({"flat": 1}, "flat must be one of True, False, not 1"),
            ({"render_mode": "svg"}, "render_mode must be one of .*, not 'svg'"),
            ({"partner": "greedy"}, "partner must be a function .*, not 'greedy'"),
            ({"opponents": 3}, "opponents must be a function .*, not 3"),
            ({"oponents": None}, "no option 'oponents'; nearest: opponents"),
            ({"trump": "none"}, "trump must be one of"),
            ({"fields": ("hand", "hand")}, "the field 'hand' is there twice"),
        ],
    )
    def test_of_options(self, options, message):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Gymnasium's, about render modes
            with pytest.raises(ValueError, match=message):
                make(**options)

    def test_options_are_its_own_whatever_the_game_is_told_by(self):
        for game in ("mendikot", rungenv.Rules()):
            for option in ("controls", "copy", "autoreset_mode", "num_envs"):
                with pytest.raises(ValueError, match=f"has no option '{option}'"):
                    SeatEnv(game, **{option: "all"})
        with pytest.raises(ValueError, match="no option 'control'") as raised:
            SeatEnv("mendikot", control="all")
        assert "controls" not in str(raised.value)

    @pytest.mark.parametrize(
        ("reset", "message"),
        [
            ({"seed": -1}, "seed must be .*, not -1"),
            ({"seed": 1.5}, "seed must be .*, not 1.5"),
            ({"options": {"dealr": 1}}, "no option 'dealr'; nearest: dealer"),
            ({"options": {"dealer": 4}}, "dealer must be from 0 to 3, not 4"),
            ({"options": {"hands": [[0] * 13] * 4}}, "hands|card"),
            ({"options": {"hands": [1, 2]}}, r"hands must have shape \(4, 13\)"),
            ({"options": {"hands": [[1, 2], [3]]}}, "hands must be an array"),
            ({"options": "dealer"}, "options must be a dict, not 'dealer'"),
            ({"options": []}, r"options must be a dict, not \[\]"),
        ],
    )
    def test_of_reset_changes_nothing(self, reset, message):
        env, other = make(), make()
        env.reset(seed=1), other.reset(seed=1)
        with pytest.raises(ValueError, match=message):
            env.reset(**reset)
        assert env.tables.save_state() == other.tables.save_state()
        for options in (None, {"dealer": 2}):
            assert env.reset(options=options)[1]["seat"] == other.reset(options=options)[1]["seat"]
            assert env.tables.save_state() == other.tables.save_state()

    @pytest.mark.parametrize("action", [-1, 61, 2.0, None, "AS", True])
    def test_of_step_changes_nothing(self, action):
        env = make()
        _, info = env.reset(seed=1)
        with pytest.raises(ValueError, match="action must be a whole number from 0 to 60"):
            env.step(action)
        env.step(random_legal(info, np.random.default_rng(0)))

    def test_before_the_first_reset(self):
        env = make()
        for call in (lambda: env.step(0), lambda: env.tables):
            with pytest.raises(ValueError, match="reset"):
                call()

    @pytest.mark.parametrize(
        ("answer", "message"),
        [
            (lambda view, rng: np.full(len(view), 99), "partner answered 99, which is not legal"),
            (lambda view, rng: 1.5, "partner must answer a view of 1 row"),
            (lambda view, rng: [[1], [2, 3]], "the answer of partner must be an array"),
            (lambda view, rng: 1 // 0, "by zero"),
        ],
    )
    def test_of_a_player_breaks_the_episode_off(self, answer, message):
        env = make("be_ranga", seat=0, partner=answer)
        with pytest.raises((ValueError, ZeroDivisionError), match=message):
            list(play(env, seed=1))
        with pytest.raises(ValueError, match="reset"):
            env.step(0)
        env.seating.partner.act = None
        list(play(env, seed=1))


def test_players_are_not_told_the_seed_of_the_deals():
    """Whoever knew it could deal itself all the hands."""
    seen = []

    def nosy(view, rng):
        seen.append(rng)
        return view.legal_mask().argmax(axis=1)

    gymnasium.make("rungenv/BeRanga-v0", partner=nosy, opponents=nosy).reset(seed=12345)
    gymnasium.make_vec(
        "rungenv/BeRanga-v0", 3, "vector_entry_point", partner=nosy, opponents=nosy
    ).reset(seed=12345)
    for rng in seen:
        assert rng.bit_generator.seed_seq.entropy > 2**128


def test_an_action_may_be_an_array_of_no_dimensions():
    env = gymnasium.make("rungenv/SingleSar-v0").unwrapped
    _, info = env.reset(seed=1)
    env.step(np.array(info["action_mask"].argmax()))
    with pytest.raises(ValueError, match="action must be a whole number"):
        env.step(np.array([3]))
