"""The vector environment: the same as one-seat environments side by side in Gymnasium's own."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import vector as wrappers

import rungenv
from rungenv.bits import choose
from rungenv.registration import gymnasium_id
from rungenv.seat_env import SeatEnv
from rungenv.seating import ILLEGAL_COSTS
from rungenv.vector_env import RungVectorEnv

N = 7
NEXT, SAME, DISABLED = AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED
ENDED = rungenv.Tables(rungenv.Rules(), N)
"""Tables where nothing is dealt, as after a round."""
BY_HAND = rungenv.deal_hands(rungenv.Rules(), rungenv.deal(rungenv.Rules(), N).deal, 0)
RESULTS = ("illegal_action", "round_over", "match_over", "winner", "kind", "points", "kots")


def make(game="single_sar", n=N, **options):
    return gymnasium.make_vec(
        gymnasium_id(game), num_envs=n, vectorization_mode="vector_entry_point", **options
    )


def side_by_side(game, mode, n=N, **options):
    """Gymnasium's own vector environment, of one-seat environments."""
    env = gymnasium.make(gymnasium_id(game), **options).unwrapped
    makers = [lambda: type(env)(game, **options)] * n
    return SyncVectorEnv(makers, autoreset_mode=mode)


def lowest(view, rng):
    """A player without any chance: the lowest legal action."""
    return view.legal_mask().argmax(axis=1)


def random_legal(env, infos, rng):
    """A legal action for every environment, where there is one."""
    mask = infos["action_mask"].astype(bool)
    return np.where(mask, rng.random(mask.shape), -1).argmax(axis=1)


def same(ours, theirs):
    """Whether two observations are the same."""
    if isinstance(ours, dict):
        return ours.keys() == theirs.keys() and all(same(ours[k], theirs[k]) for k in ours)
    return ours.dtype == theirs.dtype and (ours == theirs).all()


def check_infos(ours, theirs, rows):
    """Both tell the same of these environments, in whatever kind of array."""
    for name in ("seat", "action_mask", *RESULTS):
        for row in np.flatnonzero(rows):
            assert np.array_equal(ours[name][row], np.array(theirs[name][row])), (name, row)


def check_steps(ours, theirs):
    """Two results of step() are the same."""
    assert same(ours[0], theirs[0])
    for mine, other in zip(ours[1:4], theirs[1:4], strict=True):
        assert mine.dtype == other.dtype
        assert (mine == other).all()
    infos, others = ours[4], theirs[4]
    everywhere = np.ones(len(ours[1]), bool)
    check_infos(infos, others, everywhere)
    assert ("final_obs" in infos) == ("final_obs" in others)
    if "final_obs" not in infos:
        return
    for name in ("_final_obs", "_final_info"):
        assert (infos[name] == others[name]).all()
    over = infos["_final_obs"]
    for mine, other in zip(infos["final_obs"], others["final_obs"], strict=True):
        assert mine is other is None or same(mine, other)
    check_infos(infos["final_info"], others["final_info"], over)
    assert (infos["final_info"]["_seat"] == over).all()


def highest(view, rng):
    """Another one."""
    return 60 - view.legal_mask()[:, ::-1].argmax(axis=1)


@pytest.fixture(params=rungenv.VARIANTS)
def game(request):
    return request.param


@pytest.fixture(params=["round", "match"])
def episode(request):
    return request.param


@pytest.fixture(params=[NEXT, SAME], ids=["next_step", "same_step"])
def mode(request):
    return request.param


class TestAgainstGymnasiums:
    """Every step next to `SyncVectorEnv`, which defines what autoreset means."""

    @pytest.mark.parametrize(
        ("game", "episode", "mode"),
        [
            ("single_sar", "round", NEXT),
            ("single_sar", "round", SAME),
            ("single_sar", "match", NEXT),
            ("single_sar", "match", SAME),
            ("double_sar", "match", NEXT),
            ("hidden_rung", "round", NEXT),
            ("be_ranga", "match", SAME),
            ("mendikot", "round", SAME),
            ("mendikot_band", "round", NEXT),
        ],
    )
    def test_steps(self, game, episode, mode):
        """With resets, and with illegal actions at 1 in 40 decisions."""
        flat = game != "mendikot"
        options = {"partner": lowest, "opponents": highest, "seat": 1, "flat": flat}
        options |= {"episode": episode, "points_target": 2}
        ours = make(game, autoreset_mode=mode, **options)
        theirs = side_by_side(game, mode, **options)
        rng = np.random.default_rng(3)
        seeds = [int(seed) for seed in rng.integers(2**40, size=N)]
        obs, infos = ours.reset(seed=seeds)
        other, _ = theirs.reset(seed=seeds)
        assert same(obs, other)
        ends = illegal = 0
        for _ in range(45):
            actions = random_legal(ours, infos, rng)
            actions = np.where(rng.random(N) < 1 / 40, rng.integers(61, size=N), actions)
            step = ours.step(actions)
            check_steps(step, theirs.step(actions))
            infos = step[4]
            ends += np.count_nonzero(step[2])
            illegal += np.count_nonzero(step[1] == -ILLEGAL_COSTS["points"])
        assert ends > N // 2
        assert illegal > 1

    @pytest.mark.parametrize("game", ["single_sar", "mendikot_band"])
    def test_disabled_autoreset_and_reset_mask(self, game):
        options = {"partner": lowest, "opponents": lowest, "seat": 0}
        ours = make(game, autoreset_mode=DISABLED, **options)
        theirs = side_by_side(game, DISABLED, **options)
        rng = np.random.default_rng(4)
        _, infos = ours.reset(seed=list(range(N)))
        theirs.reset(seed=list(range(N)))
        resets = 0
        for _ in range(45):
            actions = random_legal(ours, infos, rng)
            step, other = ours.step(actions), theirs.step(actions)
            check_steps(step, other)
            infos = step[4]
            if step[2].any():
                resets += 1
                with pytest.raises(ValueError, match="are over: reset"):
                    ours.step(actions)
                seed = [100 + resets] * N if resets % 2 else None
                obs, infos = ours.reset(seed=seed, options={"reset_mask": step[2]})
                other, others = theirs.reset(seed=seed, options={"reset_mask": step[2]})
                assert same(obs, other)
                check_infos(infos, others, step[2])
        assert resets > 3

    def test_what_is_over_waits_by_the_action_minus_one(self, game):
        """Until all episodes are over; a reset then deals what it would have dealt at once."""
        env = make(game, autoreset_mode=DISABLED, controls="all")
        rng = np.random.default_rng(0)
        _, infos = env.reset(seed=6)
        over = np.zeros(N, bool)
        paid = np.zeros(N)
        while not over.all():
            actions = np.where(over, -1, random_legal(env, infos, rng))
            before, was_over = env.tables, over
            _, rewards, over, _, infos = env.step(actions)
            assert over[was_over].all()
            assert not rewards[was_over].any()
            assert not infos["round_over"][was_over].any()
            assert not infos["action_mask"][over].any()
            waited = env.tables.take(was_over).save_state()
            assert waited == before.take(was_over).save_state()
            paid += rewards
        assert paid.all()
        env.reset()
        tables = rungenv.deal(rungenv.variant(game), N, seed=6)
        tables.new_match()
        assert (env.tables.deal == tables.deal).all()

    def test_only_what_is_over_may_wait(self):
        env = make(autoreset_mode=DISABLED)
        env.reset(seed=1)
        with pytest.raises(ValueError, match="not -1 as the one of environment 0"):
            env.step(np.full(N, -1))


class TestNextStep:
    def test_the_action_after_the_end_is_ignored(self):
        env = make(opponents=lowest, partner=lowest, seat=0)
        twin = make(opponents=lowest, partner=lowest, seat=0)
        rng = np.random.default_rng(0)
        _, infos = env.reset(seed=1)
        twin.reset(seed=1)
        over = np.zeros(N, bool)
        for _ in range(40):
            actions = random_legal(env, infos, rng)
            before = over
            obs, rewards, over, _, infos = env.step(actions)
            wild = np.where(before, rng.integers(-99, 999, size=N), actions)
            assert same(obs, twin.step(wild)[0])
            assert not rewards[before].any()
            assert not over[before].any()
            assert not infos["action_mask"][over].any()
            assert infos["action_mask"][~over].any(axis=1).all()


class TestSelfPlay:
    def test_every_decision_comes_to_the_caller(self, game, episode, mode):
        """Next to tables of the kernel that are stepped and dealt by hand."""
        env = make(game, controls="all", episode=episode, autoreset_mode=mode, points_target=2)
        rules = rungenv.variant(game, points_target=2)
        tables = rungenv.deal(rules, N, seed=9)
        rng = np.random.default_rng(0)
        obs, infos = env.reset(seed=9)
        waiting = np.zeros(N, bool)
        for _ in range(70):
            view = rungenv.observe(tables, infos["seat"])
            assert (obs == view.dense()).all()
            assert (infos["action_mask"] == view.legal_mask()).all()
            assert (infos["seat"] == tables.seat)[~waiting].all()
            actions, seats = random_legal(env, infos, rng), infos["seat"]
            obs, rewards, over, _, infos = env.step(actions)
            events = rungenv.step(tables, actions)
            points = events.points.astype(int)
            won = (points[:, 0] - points[:, 1]) * np.where(seats % 2, -1, 1)
            assert (rewards == won).all()
            assert (over == (events.match_over if episode == "match" else events.round_over)).all()
            told = infos["final_info"] if over.any() and mode == SAME else infos
            for name in ("points", "kots", "round_over", "match_over"):
                assert (told[name] == getattr(events, name))[over].all()
            tables.new_match(waiting)
            if episode == "match":
                tables.next_round(events.round_over & ~events.match_over)
            if mode == SAME:
                tables.new_match(over)
            else:
                waiting = over
        assert tables.round.all()

    def test_a_team(self, game):
        """Partners decide by turns; only the opponents are played."""
        env = make(game, controls="team", seat=1, opponents=lowest, autoreset_mode=SAME)
        _, infos = env.reset(seed=2)
        rng = np.random.default_rng(0)
        seats = set(infos["seat"])
        for _ in range(60):
            _, rewards, over, _, infos = env.step(random_legal(env, infos, rng))
            seats |= set(infos["seat"])
            if over.any():
                final = infos["final_info"]
                won = np.where(final["winner"] == 1, 1, -1)
                assert (np.sign(rewards) == won)[over].all()
        assert seats == {1, 3}


class Lowest:
    """A player like `lowest`, that is equal to others of its kind, and so has no hash."""

    def __init__(self):
        self.asked = 0

    def __call__(self, view, rng):
        self.asked += 1
        return lowest(view, rng)

    def __eq__(self, other):
        return isinstance(other, Lowest)

    act = __call__


class TestPlayers:
    @pytest.mark.parametrize("as_method", [False, True])
    def test_equal_ones_are_two_and_the_same_one_is_asked_once(self, as_method):
        partner, opponents = Lowest(), Lowest()
        with pytest.raises(TypeError, match="unhashable"):
            hash(partner)
        env = make(seat=0, partner=partner, opponents=opponents)
        both = make(seat=0, partner=partner, opponents=partner.act if as_method else partner)
        env.reset(seed=1)
        assert len(env._others.players) == 2
        assert partner.asked
        assert opponents.asked
        both.reset(seed=1)
        assert len(both._others.players) == 1
        assert env.tables.save_state() == both.tables.save_state()

    def test_they_are_given_whole_batches_that_are_to_act(self):
        sizes, seats = [], {"partner": set(), "opponents": set()}

        def player(name):
            def act(view, rng):
                assert (view.legal > 0).all()
                sizes.append(len(view))
                seats[name] |= set(view.seat)
                return lowest(view, rng)

            return act

        env = make(seat=2, partner=player("partner"), opponents=player("opponents"))
        _, infos = env.reset(seed=0)
        rng = np.random.default_rng(0)
        for _ in range(20):
            _, _, _, _, infos = env.step(random_legal(env, infos, rng))
        assert max(sizes) > N // 3
        assert seats == {"partner": {0}, "opponents": {1, 3}}

    @pytest.mark.parametrize(
        ("answer", "message"),
        [
            (lambda view, rng: np.full(len(view), 99), "answered 99, which is not legal"),
            (lambda view, rng: view.legal, "answered .* and view.legal a set of them"),
            (lambda view, rng: [1.5] * len(view), "must answer a view of .* rows"),
            (lambda view, rng: 0, "must answer a view of .* rows with as many ints"),
        ],
    )
    def test_a_wrong_answer_breaks_the_step_off(self, answer, message):
        env = make("be_ranga", opponents=answer)
        with pytest.raises(ValueError, match=f"opponents {message}"):
            env.reset(seed=1)
        for call in (lambda: env.step(np.zeros(N, int)), lambda: env.tables):
            with pytest.raises(ValueError, match="reset"):
                call()
        env.seating.opponents.act = None
        env.reset(seed=1)
        assert len(env.tables) == N


class TestSeeds:
    def test_an_int_deals_what_the_kernel_deals(self, game):
        env = make(game)
        env.reset(seed=5)
        tables = rungenv.deal(rungenv.variant(game), N, seed=5)
        assert (env.tables.deal == tables.deal).all()
        env.reset()
        tables.new_match()
        assert (env.tables.deal == tables.deal).all()

    @pytest.mark.parametrize("seed", [np.int32(5), np.array(5)])
    def test_an_int_may_be_numpys(self, seed):
        one, other = make(), make()
        obs, infos = one.reset(seed=5)
        other_obs, other_infos = other.reset(seed=seed)
        assert same(obs, other_obs)
        assert (infos["seat"] == other_infos["seat"]).all()

    @pytest.mark.parametrize("game", ["double_sar", "mendikot_band"])
    def test_a_seed_repeats_episodes(self, game, mode):
        def told(env, **reset):
            rng = np.random.default_rng(0)
            obs, infos = env.reset(**reset)
            for _ in range(20):
                yield obs.tobytes(), infos["seat"].tolist()
                obs, _, _, _, infos = env.step(random_legal(env, infos, rng))

        env = make(game, autoreset_mode=mode)
        for seed in (7, [3] * N):
            first = list(told(env, seed=seed)), list(told(env))
            assert first == (list(told(env, seed=seed)), list(told(env)))
            assert first[0] != first[1]

    def test_the_first_table_may_be_any(self, game):
        rules, env = rungenv.variant(game), make(game)
        env.reset(seed=5, options={"first_table": 100})
        assert (env.tables.deal == rungenv.deal(rules, N, seed=5, first_table=100).deal).all()
        env.reset(seed=list(range(N)), options={"first_table": 100})
        numbers = np.full(N, 100)
        deals = rungenv.deal(rules, N, seed=range(N), first_table=numbers)
        assert (env.tables.deal == deals.deal).all()
        mask = np.arange(N) % 2 == 0
        env.reset(seed=6, options={"first_table": 7, "reset_mask": mask})
        deals.put(mask, rungenv.deal(rules, N, seed=6, first_table=7).take(mask))
        assert (env.tables.deal == deals.deal).all()
        assert (env.take(mask).deal == deals.deal[mask]).all()

    def test_it_begins_with_any_tables_in_play(self, game):
        """Here of a later round of a match, which it goes on with."""
        rules, env = rungenv.variant(game), make(game, controls="all", episode="match")
        tables = rungenv.deal(rules, N, seed=3)
        while (tables.round == 0).any():
            rungenv.step(tables, tables.legal_mask().argmax(axis=1))
            tables.next_round()
        env.reset(seed=1, options={"tables": tables})
        assert env.tables.save_state() == tables.save_state()
        env.step(tables.legal_mask().argmax(axis=1))
        rungenv.step(tables, tables.legal_mask().argmax(axis=1))
        assert (env.tables.history == tables.history).all()
        mask = np.arange(N) < 2
        env.reset(options={"tables": tables.take([5, 6]), "reset_mask": mask})
        assert (env.tables.table == [5, 6, *range(2, N)]).all()

    @pytest.mark.parametrize("controls", ["seat", "team", "all"])
    def test_it_goes_on_from_any_moment_that_leaves_the_caller_a_decision(self, game, controls):
        """And refuses the others, as if it had not been asked."""
        options = {"controls": controls, "seat": 1} if controls != "all" else {"controls": "all"}
        env, twin = make(game, 1, **options), make(game, 1, **options)
        mine = {"seat": [1], "team": [1, 3], "all": [0, 1, 2, 3]}[controls]
        rng, refused = np.random.default_rng(4), 0
        tables = rungenv.deal(rungenv.variant(game), 4, seed=4)
        env.reset(seed=1)
        twin.reset(seed=1)
        while (tables.seat >= 0).any():
            for row in np.flatnonzero(tables.seat >= 0):
                begin = {"options": {"tables": tables.take([row])}}
                try:
                    _, infos = env.reset(**begin)
                except ValueError:
                    refused, late = refused + 1, tables.take([row])
                else:
                    assert infos["seat"] in mine
                    assert infos["action_mask"].any()
                    twin.reset(**begin)
            rungenv.step(tables, choose(tables.legal_set, rng.random(4)))
        assert (refused > 0) == (controls != "all")
        if refused:
            with pytest.raises(ValueError, match="tables must leave a decision to the caller"):
                env.reset(options={"tables": late})
        env.reset()
        twin.reset()
        assert env.tables.save_state() == twin.tables.save_state()
        assert env.np_random.random() == twin.np_random.random()

    def test_tables_with_next_deals_of_their_own_make_room_for_others(self, game):
        """R10.2: `redeals` are of one table's round, and nothing that the next must have too."""
        rules = rungenv.variant(game, new_cards=1)
        hands = rungenv.deal(rules, N, seed=1).deal
        tables = rungenv.deal_hands(rules, hands, 0, redeals=hands[:, None], seed=3)
        env = make(game, controls="all", new_cards=1)
        mask = np.arange(N) < 3
        env.reset(seed=1)
        before = env.tables
        env.reset(options={"tables": tables.take(mask), "reset_mask": mask})
        assert (env.take(mask).deal == hands[mask]).all()
        assert env.take(~mask).save_state() != before.take(~mask).save_state(), "there is room"
        assert (env.take(~mask).deal == before.deal[~mask]).all()
        env.reset(options={"tables": tables})
        env.reset(seed=[7] + [None] * (N - 1))
        assert (env.tables.deal[0] == rungenv.deal(rules, 1, seed=7).deal[0]).all()

    @pytest.mark.parametrize("reset_mask", [None, np.arange(N) < 4])
    def test_none_among_seeds_goes_on_under_the_present_one(self, game, reset_mask):
        """As in Gymnasium, where each environment is reset with what stands in its place."""
        options = {"seat": 0, "partner": lowest, "opponents": lowest}
        ours, theirs = make(game, **options), side_by_side(game, NEXT, **options)
        for env in (ours, theirs):
            env.reset(seed=list(range(N)))
        seeds = [None if row % 3 else 50 + row for row in range(N)]
        for seed in (seeds, [None] * N, seeds):
            chosen = {} if reset_mask is None else {"reset_mask": reset_mask}
            obs, infos = ours.reset(seed=seed, options=dict(chosen))
            other, others = theirs.reset(seed=seed, options=dict(chosen))
            assert same(obs, other)
            check_infos(infos, others, np.ones(N, bool) if reset_mask is None else reset_mask)

    def test_none_among_the_first_seeds_is_a_new_one(self, game):
        rules, env = rungenv.variant(game), make(game)
        env.reset(seed=[7, None] + [None] * (N - 2), options={"first_table": 3})
        assert (env.tables.take([0]).deal == rungenv.deal(rules, 1, 7, first_table=3).deal).all()
        assert len(np.unique(env.tables.seed)) == N
        assert env.tables.table.tolist() == [3] + [0] * (N - 1)

    def test_rules_may_be_given_in_place_of_a_game(self):
        rules = rungenv.variant("double_sar", no_late_pickup=True)
        for kind in (SeatEnv, RungVectorEnv):
            assert kind(rules).seating.rules == rules
            changed = kind(rules, points_target=4).seating.rules
            assert changed == rungenv.variant("double_sar", no_late_pickup=True, points_target=4)
            with pytest.raises(ValueError, match="the game has no option 'point_target'"):
                kind(rules, point_target=4)

    def test_seats_are_drawn_anew_for_each_episode(self):
        env = make(n=64)
        drawn = [env.reset(seed=1)[1]["seat"], env.reset()[1]["seat"]]
        assert {*drawn[0]} == {*drawn[1]} == {0, 1, 2, 3}
        assert (drawn[0] != drawn[1]).any()

    def test_a_mask_resets_some_and_leaves_the_others(self):
        env = make()
        env.reset(seed=1)
        before = env.tables
        mask = np.arange(N) % 3 == 0
        env.reset(seed=2, options={"reset_mask": mask})
        expected = rungenv.deal(env.seating.rules, N, seed=2)
        assert (env.tables.deal[mask] == expected.deal[mask]).all()
        left, after = before.take(~mask), env.tables.take(~mask)
        assert left.save_state() == after.save_state()


class TestArrays:
    def test_spaces_hold_what_is_observed(self, game, mode):
        env = make(game, autoreset_mode=mode)
        obs, infos = env.reset(seed=1)
        assert env.metadata["autoreset_mode"] is mode
        assert obs in env.observation_space
        assert infos["action_mask"].shape == (N, 61)
        assert env.action_space.shape == (N,)
        assert env.single_action_space.sample(mask=infos["action_mask"][0]) < 61

    def test_copies(self):
        for copy in (True, False):
            env = make(copy=copy)
            first, infos = env.reset(seed=1)
            kept = first.copy()
            second = env.step(random_legal(env, infos, np.random.default_rng(0)))[0]
            assert (second is first) != copy
            assert (kept == first).all() == copy

    def test_what_is_given_out_may_be_written_into(self):
        env, twin = make(autoreset_mode=SAME), make(autoreset_mode=SAME)
        rng = np.random.default_rng(0)
        obs, infos = env.reset(seed=1)
        twin.reset(seed=1)
        for _ in range(30):
            actions = random_legal(env, infos, rng)
            assert same(obs, twin.view.dense())
            twin_obs, rewards, over, cut, twin_infos = twin.step(actions)
            obs, _, _, _, infos = env.step(actions)
            assert same(obs, twin_obs)
            for array in (twin_obs, rewards, over, cut, *twin_infos.values()):
                if isinstance(array, np.ndarray):
                    array.fill(1)

    @pytest.mark.parametrize("mode", [NEXT, SAME])
    def test_gymnasiums_wrappers(self, mode):
        env = wrappers.RecordEpisodeStatistics(make(autoreset_mode=mode))
        _, infos = env.reset(seed=1)
        rng = np.random.default_rng(0)
        for _ in range(30):
            _, _, _, _, infos = env.step(random_legal(env, infos, rng))
        assert len(env.return_queue) > N
        assert set(np.abs(env.return_queue)) <= {1, 2, 3, 4}
        env = wrappers.DictInfoToList(make(autoreset_mode=mode))
        _, infos = env.reset(seed=1)
        masks = {"action_mask": np.array([info["action_mask"] for info in infos])}
        _, _, _, _, infos = env.step(random_legal(env, masks, rng))
        assert set(infos[0]) == {"seat", "action_mask", *RESULTS}


class TestBadInput:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"controls": "both"}, "controls must be one of 'seat', 'team', 'all', not 'both'"),
            ({"controls": "all", "partner": lowest}, "partner has no seat to play"),
            ({"controls": "team", "partner": lowest}, "partner has no seat to play"),
            ({"controls": "all", "opponents": lowest}, "opponents has no seat to play"),
            ({"n": 0}, "num_envs must be .*, not 0"),
            ({"copy": None}, "copy must be one of True, False"),
            ({"autoreset_mode": "later"}, "autoreset_mode must be one of .*, not 'later'"),
            ({"render_mode": "human"}, "render_mode must be one of None, 'ansi', 'rgb_array', not"),
            ({"seat": 9}, "seat must be"),
            ({"sea": 1}, "no option 'sea'; nearest: seat"),
        ],
    )
    def test_of_options(self, options, message):
        with pytest.raises(ValueError, match=message):
            make(**options)

    @pytest.mark.parametrize(
        ("reset", "message"),
        [
            ({"seed": -1}, "seed must be .*, not -1"),
            ({"seed": [1, 2]}, f"list of {N} of these"),
            ({"seed": [1.5] * N}, "seed must be a whole number"),
            ({"seed": [None] * (N - 1)}, f"list of {N} of these"),
            ({"seed": [None] * N, "options": {"first_table": 5}}, "first_table=5 counts tables"),
            ({"seed": 1, "options": {"first_table": -1}}, "first_table must be .*, not -1"),
            ({"options": {"first_table": 5}}, "first_table=5 counts tables of a seed"),
            ({"options": {"reset_mask": np.ones(N)}}, "reset_mask must be"),
            ({"options": {"reset_mask": np.zeros(N, bool)}}, "some of it True"),
            (
                {"options": {"tables": rungenv.deal(rungenv.Rules(), N + 1)}},
                f"{N} Tables .*, not 8",
            ),
            *(
                ({"seed": seed, "options": {"tables": rungenv.deal(rungenv.Rules(), N)}}, message)
                for seed, message in (
                    *((wrong, "seed must be a whole number") for wrong in ("x", 1.5, {}, True, -1)),
                    ([1, 2, 3], f"list of {N} of these"),
                )
            ),
            ({"options": {"tables": np.zeros(N)}}, f"tables must be {N} Tables"),
            ({"options": {"tables": ENDED}}, "the round of table 0 is over"),
            ({"options": {"tables": ENDED, "first_table": 5}}, "first_table or tables, not both"),
            ({"options": {"tables": BY_HAND}}, "table 0 was dealt by hand without one"),
            ({"options": 5}, "options must be a dict, not 5"),
            ({"options": {"mask": np.ones(N, bool)}}, "no option 'mask'; nearest: reset_mask"),
        ],
    )
    def test_of_reset_changes_nothing(self, reset, message):
        env = make()
        env.reset(seed=1)
        before = env.tables.save_state()
        with pytest.raises(ValueError, match=message):
            env.reset(**reset)
        assert env.tables.save_state() == before

    @pytest.mark.parametrize(
        ("actions", "message"),
        [
            (np.zeros(N), rf"actions must be \({N},\) ints"),
            (np.zeros(3, int), rf"actions must be \({N},\) ints"),
            (0, "actions must be"),
            ([[1], [2, 3]], "actions must be an array"),
            (np.arange(N) + 55, "actions must be from 0 to 60, not 61 as .* environment 6"),
            (np.arange(N) - 1, "not -1 as the one of environment 0"),
        ],
    )
    def test_of_step_changes_nothing(self, actions, message):
        env = make()
        _, infos = env.reset(seed=1)
        before = env.tables.save_state()
        with pytest.raises(ValueError, match=message):
            env.step(actions)
        assert env.tables.save_state() == before
        env.step(random_legal(env, infos, np.random.default_rng(0)))

    def test_before_the_first_reset(self):
        env = make()
        mask = {"reset_mask": np.arange(N) == 0}
        for call in (lambda: env.step([0] * N), lambda: env.view, lambda: env.reset(options=mask)):
            with pytest.raises(ValueError, match="reset"):
                call()
