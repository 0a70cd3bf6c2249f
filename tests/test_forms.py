"""The forms of an observation: each says what the view says, in both Gymnasium environments."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

import rungenv
from rungenv.bits import choose
from rungenv.forms import row_of
from rungenv.layout import SET_ROWS, SMALL_ROWS
from rungenv.registration import gymnasium_id
from rungenv.view import LAID, NOTHING

FORMS = ("dense", "float", "packed", "history")
SOME = ("trump", "hand", "points", "trick_number")
SHOWN = [("dense", None), ("float", None), ("packed", None), ("history", None)]
SHOWN += [("dense", SOME), ("float", SOME), ("history", SOME)]
N = 9


@pytest.fixture(params=rungenv.VARIANTS)
def game(request):
    return request.param


def some_views(game, n=64, steps=150, **options):
    """Views of tables that are out of step with one another, some of them over."""
    tables = rungenv.deal(rungenv.variant(game, **options), n, seed=4)
    rng = np.random.default_rng(0)
    for _ in range(steps):
        rungenv.step(tables, choose(tables.legal_set, rng.random(n)), rng.random(n) < 0.7)
        tables.next_round((tables.seat < 0) & (rng.random(n) < 0.5))
    return rungenv.observe(tables)


def highest_of(names):
    fields = [rungenv.FIELDS[name] for name in names]
    return np.concatenate([np.full(field.width, field.high) for field in fields])


def equal(one, other):
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(equal(one[k], other[k]) for k in one)
    return one.dtype == other.dtype and np.array_equal(one, other)


class TestFloat:
    @pytest.mark.parametrize("names", [None, SOME, ("streak",), ("hand",), ()])
    def test_columns_are_shares_of_their_highest_value(self, game, names):
        view = some_views(game)
        columns = view.dense(names)
        shares = view.dense(names, dtype=np.float32)
        expected = (
            columns
            / highest_of(rungenv.FIELDS if names is None else names or ["hand"])[: columns.shape[1]]
        )
        assert shares.dtype == np.float32
        np.testing.assert_allclose(shares, expected, rtol=1e-6)
        assert ((shares >= 0) & (shares <= 1)).all()

    def test_names_may_come_one_by_one(self, game):
        view = some_views(game)
        for dtype in (np.uint8, np.float32):
            assert equal(
                view.dense((name for name in SOME), dtype=dtype), view.dense(SOME, dtype=dtype)
            )

    def test_the_highest_value_is_exactly_one(self):
        view = some_views("single_sar")
        for name, field in rungenv.FIELDS.items():
            if field.high > 1:
                getattr(view, name)[...] = field.high
                assert (view.dense((name,), dtype=np.float32) == 1).all()

    def test_into_an_array(self):
        view = some_views("mendikot")
        room = np.full((64, rungenv.N_FEATURES), np.nan, np.float32)
        assert view.dense(out=room, dtype=np.float32) is room
        assert equal(room, view.dense(dtype=np.float32))

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"dtype": np.float64}, "dtype must be np.uint8 or np.float32"),
            ({"dtype": np.float32, "out": np.zeros((3, 3))}, r"out must be \(64, 923\) float32"),
            ({"dtype": np.float32, "names": ("hnd",)}, "no field is called 'hnd'; nearest: hand"),
        ],
    )
    def test_bad_input(self, options, message):
        with pytest.raises(ValueError, match=message):
            some_views("be_ranga", steps=9).dense(**options)


class TestHistory:
    def test_pairs_are_actions_and_relative_seats_in_order(self, game):
        view = some_views(game, new_cards=1)
        pairs = view.history_pairs()
        for row in range(len(view)):
            entries = view.history[row]
            length = np.count_nonzero(entries != 255)
            assert (pairs[row, :length, 0] == entries[:length] & 63).all()
            seats = (pairs[row, :length, 1] + view.seat[row]) % 4
            assert (seats == entries[:length] >> 6).all()
            assert (pairs[row, length:] == [NOTHING, 0]).all()

    def test_a_card_that_another_laid_is_not_named(self):
        pairs = some_views("hidden_rung").history_pairs()
        laid = pairs[..., 0] == LAID
        assert laid.any()
        assert (pairs[laid, 1] != 0).all()


class TestPacked:
    def test_bounds_hold_what_views_hold(self, game):
        view = some_views(game, new_cards=2)
        for name, rows in SMALL_ROWS.items():
            part = next(part for part in rungenv.layout.SMALLS if part.name == name)
            low, high = part.bounds
            assert view.smalls[rows].min() >= low, name
            assert view.smalls[rows].max() <= high, name

    def test_it_is_the_views_blocks(self, game):
        env = gymnasium.make_vec(
            gymnasium_id(game), N, "vector_entry_point", observation="packed", controls="all"
        )
        obs, _ = env.reset(seed=3)
        view = rungenv.observe(rungenv.deal(rungenv.variant(game), N, seed=3))
        assert (obs["sets"][:, SET_ROWS["hand"].start] == view.hand).all()
        assert (obs["smalls"][:, SMALL_ROWS["dealer"].start] == view.dealer).all()
        assert obs["sets"].flags.c_contiguous


class TestEnvironments:
    @pytest.mark.parametrize("form", FORMS[1:])
    @pytest.mark.filterwarnings("error")
    def test_check_env(self, game, form):
        """Without a mask beside it for half of the games, and with it for the others."""
        flat = (rungenv.VARIANTS.index(game) + len(form)) % 2 == 0
        env = gymnasium.make(gymnasium_id(game), observation=form, flat=flat)
        check_env(env.unwrapped, skip_render_check=True)  # pictures do not depend on the form

    @pytest.mark.parametrize(("form", "fields"), [*SHOWN[4:], ("dense", ())])
    @pytest.mark.filterwarnings("error")
    def test_check_env_of_some_fields(self, form, fields):
        env = gymnasium.make("rungenv/HiddenRung-v0", observation=form, fields=fields)
        check_env(env.unwrapped, skip_render_check=True)

    @pytest.mark.parametrize(("form", "fields"), SHOWN)
    def test_both_environments_show_the_same(self, game, form, fields):
        """One seat, and the same in a vector environment; through the ends of episodes."""
        for flat in (True, False):
            options = {"observation": form, "flat": flat, "fields": fields, "seat": 2}
            options |= {"partner": lowest, "opponents": lowest}
            one = gymnasium.make(gymnasium_id(game), **options)
            same = AutoresetMode.SAME_STEP
            many = gymnasium.make_vec(
                gymnasium_id(game), 2, "vector_entry_point", autoreset_mode=same, **options
            )
            assert many.observation_space == batch_space(one.observation_space, 2)
            obs, info = one.reset(seed=5)
            all_obs, _ = many.reset(seed=[5, 6])
            ends = 0
            for _ in range(16):
                assert all_obs in many.observation_space
                assert equal(obs, row_of(all_obs, 0))
                action = int(info["action_mask"].argmax())
                other = int(rungenv.bits.lowest(many.unwrapped.tables.legal_set)[1])
                obs, _, over, _, info = one.step(action)
                all_obs, _, all_over, _, infos = many.step(np.array([action, other]))
                assert over == all_over[0]
                if over:
                    ends += 1
                    assert equal(obs, infos["final_obs"][0])
                    obs, info = one.reset()
            assert ends

    def test_they_show_the_view(self, game):
        """In every form, next to the view that the environment gives."""
        for form in FORMS:
            env = gymnasium.make_vec(
                gymnasium_id(game), N, "vector_entry_point", observation=form, copy=False
            )
            rng = np.random.default_rng(1)
            obs, infos = env.reset(seed=8)
            for _ in range(12):
                view = env.unwrapped.view
                if form in ("dense", "float"):
                    assert equal(obs, view.dense(dtype=obs.dtype.type))
                elif form == "packed":
                    assert equal(obs, {"sets": view.sets.T, "smalls": view.smalls.T})
                else:
                    assert equal(obs, {"dense": view.dense(), "history": view.history_pairs()})
                mask = infos["action_mask"].astype(bool)
                actions = np.where(mask, rng.random(mask.shape), -1).argmax(axis=1)
                obs, _, _, _, infos = env.step(actions)

    def test_no_fields_is_no_work(self, game, monkeypatch):
        def refuse(*args):
            raise AssertionError("a view was made")

        env = gymnasium.make_vec(gymnasium_id(game), N, "vector_entry_point", fields=())
        monkeypatch.setattr("rungenv.forms.observe", refuse)
        obs, infos = env.reset(seed=1)
        for _ in range(20):
            assert obs.shape == (N, 0)
            obs, _, _, _, infos = env.step(infos["action_mask"].argmax(axis=1))

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"observation": "sparse"}, "observation must be one of 'dense', 'float'.*'sparse'"),
            ({"fields": ("hnd",)}, "no field is called 'hnd'; nearest: hand"),
            ({"fields": "hand"}, "must be a sequence of fields, not 'hand'"),
            ({"fields": 5}, "must be a sequence of fields, not 5"),
            ({"fields": [["hand"]]}, r"no field is called \['hand'\]"),
            ({"observation": "packed", "fields": ("hand",)}, "no columns to choose"),
            ({"flat": None}, "flat must be one of True, False, not None"),
        ],
    )
    def test_bad_input(self, options, message):
        for make in (
            lambda: gymnasium.make("rungenv/Mendikot-v0", **options),
            lambda: gymnasium.make_vec("rungenv/Mendikot-v0", 2, "vector_entry_point", **options),
        ):
            with pytest.raises(ValueError, match=message):
                make()


def lowest(view, rng):
    """A player without any chance: the lowest legal action."""
    return view.legal_mask().argmax(axis=1)
