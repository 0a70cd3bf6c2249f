"""Drawings of tables: what is on them and where, and nothing that the seat must not know."""

import itertools
import random
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import rungenv
from rungenv import Phase, bits, screen
from rungenv.drawing import GOLD, Box, CardImage, Label, SuitMark, broken, shortened, text_width
from rungenv.panel import TEAM_COLORS
from rungenv.suit_shapes import SHAPES
from rungenv.tabletop import SIZE
from tables import SUITED, Game, finished
from test_render import OPTIONS, played_at_random
from test_view_hidden import GAMES, kernel_tables, other_world, random_world
from write_picture import PICTURE, picture

POSITIONS = 14
SVG = "{http://www.w3.org/2000/svg}"


def drawn(game, seat=None, **options):
    """The drawing of a game as a seat sees it, or with all hands."""
    return rungenv.picture(game.tables, seat=seat, reveal=seat is None, **options).drawing()


def texts(items):
    return [item.text for item in items if isinstance(item, Label)]


def cards(items):
    return [item.card for item in items if isinstance(item, CardImage)]


def rectangle(item):
    """Where an item is: left, top, right, bottom."""
    match item:
        case Box(x, y, width, height):
            return x, y, x + width, y + height
        case Label(x, y, text, size, color, anchor):
            line, _ = screen._line(text, size, color)
            left = x - {"start": 0, "middle": 0.5, "end": 1}[anchor] * line.get_width()
            return left, y - 0.74 * size, left + line.get_width(), y + 0.2 * size
        case SuitMark(x, y, size):
            return x - size / 2, y - size / 2, x + size / 2, y + size / 2
        case CardImage(x, y, _, scale):
            return x, y, x + 60 * scale, y + 84 * scale


def overlap(one, other):
    return max(one[0], other[0]) < min(one[2], other[2]) and max(one[1], other[1]) < min(
        one[3], other[3]
    )


def phases_of(rules):
    """All that a table can wait for under these rules."""
    phases = {Phase.PLAY, Phase.OVER}
    phases |= {Phase.CALL} if rules.calls else set()
    phases |= {Phase.PARTNER_CALL} if rules.calls and rules.passing else set()
    phases |= {Phase.NEW_CARDS} if any(rules.new_cards) else set()
    return phases | ({Phase.CHANGE_TRUMP} if rules.change_trump else set())


class TestSecrets:
    @pytest.mark.parametrize(("game", "options"), GAMES)
    def test_pictures_are_the_same_in_worlds_that_the_viewer_cannot_tell_apart(self, game, options):
        rules, rng = rungenv.variant(game, **options), random.Random(f"pictures of {game}")
        changes, to_see = [], phases_of(rules)
        while len(changes) < POSITIONS or to_see:
            world, table = random_world(rules, rng)
            if len(changes) >= POSITIONS and Phase[table.phase] not in to_see:
                continue
            to_see -= {Phase[table.phase]}
            is_to_act = len(changes) % 2 and table.seat is not None
            viewer = table.seat if is_to_act else rng.randrange(4)
            other, made = other_world(world, table, viewer, rng)
            tables = kernel_tables([world, other])
            changes.append(made)
            seats = (viewer, None) if viewer == table.seat else (viewer,)
            for seat in seats:  # None has the eyes of the seat to act
                one, two = (rungenv.picture(tables, row, seat) for row in (0, 1))
                assert one.drawing() == two.drawing()
                assert one.text() == two.text()
                assert one.svg().encode() == two.svg().encode()
                assert np.array_equal(one.rgb(), two.rgb())
        assert np.mean(changes) > 3  # the worlds do differ

    @pytest.mark.parametrize(("game", "options"), OPTIONS)
    def test_only_known_cards_lie_open_and_all_of_those(self, game, options):
        rng = np.random.default_rng(5)
        for tables in played_at_random(game, options, seed=5):
            seat = int(rng.integers(4))
            view = rungenv.observe(tables, seat)
            scene = rungenv.picture(tables, seat=seat).scene
            on_table = set(scene.trick) | set(scene.last_trick)
            mine = set(bits.members(view.hand[0])) | {int(view.my_face_down[0])}
            open_cards = set(cards(rungenv.picture(tables, seat=seat).drawing()))
            assert open_cards - {None} == (on_table | mine) - {-1}

            revealed = cards(rungenv.picture(tables, seat=seat, reveal=True).drawing())
            everyones = rungenv.observe(tables.take(np.zeros(4, int)), range(4)).hand
            hands = set().union(*(bits.members(hand) for hand in everyones))
            hands |= on_table | {int(tables.face_down[0])}
            assert set(revealed) - {None} == hands - {-1}


class TestLayout:
    @pytest.mark.parametrize(("game", "options"), OPTIONS)
    def test_no_text_covers_another_or_leaves_the_picture(self, game, options):
        for i, tables in enumerate(played_at_random(game, options, seed=3)):
            names = [("player_0", "Wilhelmina WWW")[i // 2 % 2]] * 4
            picture = rungenv.picture(tables, seat=i % 4, reveal=bool(i % 2), names=names)
            items = picture.drawing()
            for item in items:
                left, top, right, bottom = rectangle(item)
                assert left >= 0
                assert top >= 0
                assert right <= SIZE[0]
                assert bottom <= SIZE[1], item
            labels = [item for item in items if isinstance(item, Label)]
            places = [rectangle(label) for label in labels]
            for number, (label, place) in enumerate(zip(labels, places, strict=True)):
                for other, there in zip(labels[:number], places, strict=False):
                    assert not overlap(place, there), (label, other)

    @pytest.mark.parametrize(("game", "options"), OPTIONS)
    def test_cards_cover_neither_names_nor_other_hands(self, game, options):
        for tables in itertools.islice(played_at_random(game, options, seed=4), 0, None, 3):
            items = rungenv.picture(tables, seat=0, reveal=True).drawing()
            names = [i for i in items if isinstance(i, Label) and i.text.startswith("player_")]
            images = [item for item in items if isinstance(item, CardImage)]
            for image in images:
                assert not any(overlap(rectangle(image), rectangle(name)) for name in names)
            table = [image for image in images if image.scale == 1 and image.y < 500]
            others = [image for image in images if image not in table]
            for image in table:
                assert not any(overlap(rectangle(image), rectangle(other)) for other in others)

    def test_the_seat_that_looks_sits_at_the_bottom_and_play_goes_to_the_right(self):
        game = Game("be_ranga", "AC", "KC", "QC", "JC").play("AC KC QC")
        for seat in range(4):
            places = {i.card: i for i in drawn(game, seat) if isinstance(i, CardImage)}
            ace, king, queen = (places[rungenv.parse_card(card)] for card in ("AC", "KC", "QC"))
            around = [(ace, 0), (king, 1), (queen, 2)]
            by_place = {(owner - seat) % 4: (card.x, card.y) for card, owner in around}
            middle = {0: (310, 318), 1: (389, 268), 2: (310, 218), 3: (231, 268)}
            assert by_place == {place: middle[place] for place in by_place}

    def test_another_seat_can_sit_at_the_bottom(self):
        game = Game("be_ranga", "AC", "KC", "QC", "JC").play("AC KC")
        scene = rungenv.picture(game.tables, seat=2, bottom=1).scene
        assert scene.names == ("player_1", "player_2", "player_3", "player_0")
        assert [hand is not None for hand in scene.hands] == [False, True, False, False]
        assert scene.to_act == 1
        assert scene.trick[0] == rungenv.parse_card("KC")
        assert scene.tricks == tuple(game.tricks[::-1])


class TestContents:
    def test_the_calling(self):
        game = Game("single_sar", deal=SUITED)
        items = drawn(game, 0)
        assert "player_0 to call" in texts(items)
        assert "player_0 to call." in texts(items)
        assert texts(items).count("5") == 3  # cards of the others
        assert len(cards(items)) == 20
        assert "no trump yet" in texts(items)

    @pytest.mark.parametrize("seat", range(4))
    def test_the_seat_to_act_has_a_golden_plate(self, seat):
        game = Game("be_ranga", "AC", "KC", "QC", "JC").play(*["AC", "KC", "QC"][:seat])
        items = drawn(game, 0)
        gold = [item for item in items if isinstance(item, Box) and item.fill == GOLD]
        name = next(i for i in items if isinstance(i, Label) and i.text == f"player_{seat}")
        assert sum(overlap(rectangle(name), rectangle(box)) for box in gold) == 1
        teams = [i for i in items if isinstance(i, Box) and i.fill == TEAM_COLORS[seat % 2]]
        assert any(abs(dot.x - name.x) < 25 and abs(dot.y - name.y) < 25 for dot in teams)

    def test_dealer_and_caller_are_marked(self):
        game = Game("single_sar", deal=SUITED).play("PASS CALL_H")
        items = drawn(game, 1)
        for tag, seat in (("dealer", 3), ("caller", 2)):
            label = next(i for i in items if isinstance(i, Label) and i.text == tag)
            name = next(i for i in items if isinstance(i, Label) and i.text == f"player_{seat}")
            assert abs(label.y - name.y) < 4
            assert 0 < label.x - name.x < 130

    def test_the_best_card_of_the_trick_is_framed(self):
        game = Game("be_ranga", "2C", "KC", "QC", "JC").play("2C KC QC")
        items = drawn(game, 0)
        king = next(i for i in items if isinstance(i, CardImage) and i.card == 11)
        frames = [i for i in items if isinstance(i, Box) and i.fill == GOLD and i.height == 92]
        assert [(box.x + 4, box.y + 4) for box in frames] == [(king.x, king.y)]

    def test_the_last_trick_fades(self):
        game = Game("be_ranga", "AC", "KC", "QC", "JC").play("AC KC QC JC")
        items = drawn(game, 0)
        faded = {i.card for i in items if isinstance(i, CardImage) and i.faded}
        assert faded == {12, 11, 10, 9}
        assert "last trick" in texts(items)

    def test_the_trump_is_a_large_suit(self):
        game = Game("mendikot", deal=SUITED)
        assert not [i for i in drawn(game, 0) if isinstance(i, SuitMark)]
        assert "?" in texts(drawn(game, 0))
        marks = [i for i in drawn(game.play("2C 2D"), 0) if isinstance(i, SuitMark)]
        assert [mark.suit for mark in marks] == [1]

    def test_the_face_down_card(self):
        game = Game("hidden_rung", deal=SUITED).play("2C")
        two = rungenv.parse_card("2C")
        assert cards(drawn(game, 0)).count(two) == 2  # on the table, and as the trump
        assert cards(drawn(game)).count(two) == 2
        for seat in (1, 2, 3):
            items = drawn(game, seat)
            assert "face down" in texts(items)
            assert two not in cards(items)
            assert cards(items).count(None) == 12 + 13 + 13 + 2
        assert "face down" not in texts(drawn(game.play("3C REVEAL"), 1))

    def test_a_card_that_nobody_has_seen(self):
        game = Game("hidden_rung", deal=SUITED).play("PASS TIMEOUT")
        seven = rungenv.parse_card("7C")
        assert all(seven not in cards(drawn(game, seat)) for seat in range(4))
        assert seven in cards(drawn(game))

    @pytest.mark.parametrize("tricks", [0, 1, 5])
    def test_the_pile_is_as_high_as_its_tricks(self, tricks):
        game = Game("double_sar", "AC", "AD", "AH", "AS").play("CALL_C")
        game.set(pile=tricks)
        small = [i for i in drawn(game, 0) if isinstance(i, CardImage) and i.scale == 0.6]
        assert len(small) == tricks
        assert f"pile: {tricks} trick{'' if tricks == 1 else 's'}" in texts(drawn(game, 0))

    def test_counts_stand_under_their_teams(self):
        game = Game("mendikot", "TC", "AC", "KC", "QC").set(points=[3, 2]).play("TC AC KC QC")
        for seat in (0, 1):
            rows = {}
            items = [i for i in drawn(game, seat) if isinstance(i, Label)]
            for label in items:
                if label.text in ("tricks", "tens", "points"):
                    row = [i for i in items if abs(i.y - label.y) < 3 and i.x > label.x]
                    rows[label.text] = [i.text for i in sorted(row, key=lambda i: i.x)]
            ours, theirs = (0, 1) if seat == 0 else (1, 0)
            assert rows["tricks"] == [str([0, 1][ours]), str([0, 1][theirs])]
            assert rows["tens"] == rows["tricks"]
            assert rows["points"] == [str([3, 2][ours]), str([3, 2][theirs])]
        assert "kots" not in texts(items)

    def test_the_actions_stand_in_the_panel_latest_first(self):
        game = Game("single_sar", deal=SUITED).play("PASS CALL_H")
        said = texts(drawn(game, 0))
        assert said[-2:] == ["player_2 called ♥ hearts", "player_0 passed"]
        game.play("2C 2D 2H 2S")
        assert "player_2 played 2♥" in texts(drawn(game, 0))

    def test_tens_are_written_as_on_the_cards(self):
        game = Game("be_ranga", "TC", "2C", "3C", "4C").play("TC")
        assert "player_0 played 10♣" in texts(drawn(game, 0))

    @pytest.mark.parametrize(
        ("how", "result"), [("kot", "with a kot."), ("goon_kot", "with a goon kot.")]
    )
    def test_the_result(self, how, result):
        game = finished(how, points_target=2)
        said = " ".join(texts(drawn(game, 0)))
        assert said.count(result) == 2  # on the table and in the panel
        assert said.count("They win the match.") == 2


class TestSvg:
    @pytest.mark.parametrize(("game", "options"), OPTIONS)
    def test_every_svg_is_sound_xml_that_defines_what_it_uses(self, game, options):
        for tables in itertools.islice(played_at_random(game, options, seed=6), 0, None, 3):
            root = ElementTree.fromstring(rungenv.picture(tables, reveal=True)._repr_svg_())
            known = {element.get("id") for element in root.iter() if element.get("id")}
            used = {element.get("href")[1:] for element in root.iter(f"{SVG}use")}
            assert used <= known
            assert all(name.startswith("rung-") for name in known)
        assert root.get("viewBox") == "0 0 1000 640"
        assert root.find(f"{SVG}title").text.startswith(rungenv.sentences.game_name(tables.rules))

    def test_names_are_text_and_nothing_else(self):
        game = Game("be_ranga", deal=SUITED)
        svg = rungenv.picture(game.tables, names=['<b>&"', "</svg>", "]]>", "&amp;"]).svg()
        root = ElementTree.fromstring(svg)
        shown = ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]
        assert {'<b>&"', "</svg>", "]]>", "&amp;"} <= set(shown)

    def test_any_text_will_do_as_a_name(self):
        game = Game("be_ranga", deal=SUITED)
        picture = rungenv.picture(game.tables, names=["", "a\0b\nc\x1b", "\ud800x", "♠T♥"])
        assert picture.scene.names == ("player_0", "abc", "x", "♠T♥")
        ElementTree.fromstring(picture.svg().encode())
        assert picture.rgb().shape == (640, 1000, 3)
        assert "abc" in picture.text()

    def test_the_picture_in_the_readme_is_what_its_command_writes(self):
        assert PICTURE.read_text("utf-8") == picture().svg()

    def test_suits_are_closed_symmetric_and_one_unit_high(self):
        for shape in SHAPES:
            points = [point for outline in shape for point in outline.polygon()]
            across, down = zip(*points, strict=True)
            assert min(down) == pytest.approx(-0.5, abs=0.03)
            assert max(down) == pytest.approx(0.5, abs=0.01)
            assert -min(across) == pytest.approx(max(across), abs=1e-9)
            assert max(across) <= 0.5
            for outline in shape:
                assert outline.bends[-1][2] == pytest.approx(outline.start)


class TestText:
    def test_widths_are_not_underrated(self):
        for text in ("player_0 and player_2", "MMMM", "had the face-down card shown", "A.B,c:d"):
            line, _ = screen._line(text, 15, "#000000")
            assert text_width(text, 15) >= line.get_width() * 0.98
            assert text_width(text, 15) < line.get_width() * 1.35

    def test_breaking_and_shortening(self):
        text = "the trump is player_0's face-down card, which nobody has seen"
        lines = broken(text, 14, 180)
        assert " ".join(lines) == text
        assert all(text_width(line, 14) <= 180 for line in lines)
        assert shortened("a quite long name", 12, 60).endswith("…")
        assert text_width(shortened("a quite long name", 12, 60), 12) <= 60
        assert shortened("short", 12, 60) == "short"


class TestBadInput:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"row": 2}, "row must be from 0 to 1, not 2"),
            ({"row": 1.5}, "row must be an int"),
            ({"seat": 4}, "seat must be a whole number from 0 to 3, not 4"),
            ({"seat": [1]}, "seat must be a whole number"),
            ({"names": 5}, "names must be four"),
            ({"bottom": -1}, "bottom must be a whole number from 0 to 3, not -1"),
            ({"names": ["a", "b"]}, "names must be four, one a seat, not .'a', 'b'."),
            ({"names": "abcd"}, "names must be four, one a seat, not 'abcd'"),
        ],
    )
    def test_is_named(self, arguments, message):
        tables = rungenv.deal(rungenv.variant("mendikot"), 2)
        with pytest.raises(ValueError, match=message):
            rungenv.picture(tables, **arguments)

    def test_a_single_table_will_do(self):
        tables = rungenv.deal(rungenv.variant("mendikot"), 1)
        assert rungenv.picture(rungenv.Table(tables)).svg() == rungenv.picture(tables).svg()
