"""Means, latest axes, S values, the composite, the ratings and the pairing."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from review_runs import a_hypothesis, a_review, make_run, put

from novelty_kit.errors import DocumentError, InputError, PolicyError
from novelty_kit.review import ReviewPolicy, Run, open_run
from novelty_kit.review.axes import ReviewMean
from novelty_kit.review.composite import (
    composite_delta,
    normalised,
    preset_weights,
    read_weights,
    resolve_weights,
)
from novelty_kit.review.pairing import swiss_pairing
from novelty_kit.review.ratings import Match, Rating, Ratings, replay
from novelty_kit.review.rubric import rubric

IDS = [f"H-000{n}" for n in range(1, 6)]


def a_match(number: int, a: str, b: str, winner: str, **changes: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "id": f"M-{number:04d}",
        "epoch": 0,
        "a": a,
        "b": b,
        "winner": winner,
        "margin": "decisive",
        "created_at": f"2026-01-01T00:00:{number:02d}Z",
    }
    return made | changes


def rated(**elo: float) -> dict[str, Any]:
    return {
        "epoch": 1,
        "base_rating": 1500,
        "ratings": {
            name.replace("_", "-"): {"elo": value, "matches": 2, "wins": 1, "draws": 0}
            for name, value in elo.items()
        },
        "computed_from": "matches/ ledger @ M-0002",
    }


def run_with(tmp_path: Path, reviews: dict[str, dict[str, Any]], **parts: Any) -> Run:
    hypotheses = parts.pop("hypotheses", [a_hypothesis(one) for one in IDS[:3]])
    path = make_run(tmp_path / "run", hypotheses=hypotheses, reviews=reviews, **parts)
    return open_run(path)


@pytest.mark.parametrize(("score", "s"), [(None, 0.5), (1, 0.0), (2, 0.25), (3, 0.5), (4, 0.75), (5, 1.0)])
def test_s_runs_from_zero_to_one_and_absent_is_neutral(score: int | None, s: float) -> None:
    assert normalised(score) == s


@pytest.mark.parametrize(
    ("preset", "weights", "example"),
    [
        ("balanced", (50, 50, 20), 10.0),
        ("disable_novelty", (60, 60, 0), 0.0),
        ("focus_on_breakthroughs", (15, 15, 90), 45.0),
        ("strict_constraints", (35, 70, 15), -1.25),
        ("pure_tournament", (0, 0, 0), 0.0),
    ],
)
def test_each_preset_moves_as_its_table_says(preset: str, weights: tuple[float, ...], example: float) -> None:
    found = preset_weights(preset)
    assert (found.goal, found.constraint, found.novelty) == weights
    assert sum(weights) in (120, 0)
    assert composite_delta({"goal": 0.75, "constraint": 0.25, "novelty": 1.0}, found) == example


def test_the_composite_of_the_test_vector(tmp_path: Path) -> None:
    run = run_with(tmp_path, {"H-0001.R-01": a_review(scores={"goal_alignment": 5, "novelty": 5})})
    put(run.path / "ratings/epoch-1.json", rated(H_0001=1487.5))
    row = run.standings(composite=True).set_index("hypothesis_id").loc["H-0001"]
    assert row["elo_composite"] == 1522.5
    assert row["composite_delta"] == 35.0
    assert row["constraint_s"] == 0.5
    assert row["goal_review_id"] == "H-0001.R-01"


def test_the_mean_is_over_all_reviews_and_comes_with_its_spread(tmp_path: Path) -> None:
    run = run_with(
        tmp_path,
        {"H-0001.R-01": a_review(), "H-0001.R-02": a_review(scores={"novelty": 5}, id="H-0001.R-02")},
    )
    frame = run.reviews.set_index("hypothesis_id")
    assert list(frame.index) == IDS[:3]
    first = frame.loc["H-0001"]
    assert (first["n_reviews"], first["mean_review_score"]) == (2, 4.25)
    assert (first["lowest_review_score"], first["highest_review_score"]) == (4.0, 4.5)
    assert first["sd_review_score"] == pytest.approx(0.25 * math.sqrt(2))
    assert frame.loc["H-0002", "n_reviews"] == 0
    assert math.isnan(frame.loc["H-0002", "mean_review_score"])
    assert frame.loc["H-0002", "goal_s"] == 0.5


def test_an_absent_core_axis_counts_zero_in_the_mean_and_leaves_the_check_without_one(tmp_path: Path) -> None:
    run = run_with(tmp_path, {"H-0001.R-01": a_review(scores={"safety": ...})})
    assert run.reviews.loc[0, "mean_review_score"] == 11 / 4
    assert run.check()[0].mean_review_score is None


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (7, r"scores\.novelty = 7 \(must be 1-5\)"),
        (0, r"scores\.novelty = 0 \(must be 1-5\)"),
        ("3", r"scores\.novelty = '3' \(must be 1-5\)"),
        (2.5, r"scores\.novelty = 2\.5 \(must be 1-5\)"),
        (True, r"scores\.novelty = True \(must be 1-5\)"),
    ],
)
def test_a_score_that_is_none_stops_the_frame_and_names_its_file(
    bad: object, says: str, tmp_path: Path
) -> None:
    run = run_with(tmp_path, {"H-0001.R-01": a_review(scores={"novelty": bad})})
    with pytest.raises(DocumentError, match=says) as refused:
        _ = run.reviews
    assert refused.value.problem.path == "reviews/H-0001.R-01.json"


def test_a_malformed_review_stops_the_frame(tmp_path: Path) -> None:
    run = run_with(tmp_path, {})
    (run.path / "reviews/H-0001.R-01.json").write_text("{")
    for frame in (lambda: run.reviews, lambda: run.scores, lambda: run.standings(composite=True)):
        with pytest.raises(DocumentError, match=r"reviews/H-0001\.R-01\.json"):
            frame()


def axis_sources(run: Run, hypothesis_id: str = "H-0001") -> dict[str, Any]:
    row = run.reviews.set_index("hypothesis_id").loc[hypothesis_id]
    return {
        name: (None if row.isna()[f"{name}_score"] else (row[f"{name}_score"], row[f"{name}_review_id"]))
        for name in ("goal", "constraint", "novelty")
    }


def numbered(*reviews: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {f"H-0001.R-{n:02d}": {**record, "id": f"H-0001.R-{n:02d}"} for n, record in enumerate(reviews, 1)}


def test_each_axis_is_taken_from_the_latest_review_that_scores_it(tmp_path: Path) -> None:
    run = run_with(
        tmp_path,
        numbered(
            a_review(scores={"goal_alignment": 5, "novelty": 2}),
            a_review(scores={"goal_alignment": ..., "novelty": 4, "constraint_compliance": 1}),
            a_review(scores={"goal_alignment": ..., "novelty": 3}),
        ),
    )
    assert axis_sources(run) == {
        "goal": (5, "H-0001.R-01"),
        "constraint": (1, "H-0001.R-02"),
        "novelty": (3, "H-0001.R-03"),
    }


def test_a_later_epoch_comes_before_a_higher_number(tmp_path: Path) -> None:
    run = run_with(
        tmp_path, numbered(a_review(epoch=2, scores={"novelty": 1}), a_review(epoch=1, scores={"novelty": 5}))
    )
    assert axis_sources(run)["novelty"] == (1, "H-0001.R-01")


def test_numbers_are_compared_as_numbers(tmp_path: Path) -> None:
    run = run_with(
        tmp_path,
        {
            "H-0001.R-99": a_review(id="H-0001.R-99", scores={"novelty": 1}),
            "H-0001.R-100": a_review(id="H-0001.R-100", scores={"novelty": 5}),
        },
    )
    assert axis_sources(run)["novelty"] == (5, "H-0001.R-100")


@pytest.mark.parametrize("light", ["safety", "initial"])
@pytest.mark.parametrize("weighty", ["full", "deep", "recurrent"])
def test_a_light_review_never_overrides_an_axis_but_fills_a_gap(
    light: str, weighty: str, tmp_path: Path
) -> None:
    run = run_with(
        tmp_path,
        numbered(
            a_review(review_type=weighty, scores={"novelty": 4, "goal_alignment": ...}),
            a_review(review_type=light, epoch=9, scores={"novelty": 1, "goal_alignment": 2}),
        ),
    )
    assert axis_sources(run)["novelty"] == (4, "H-0001.R-01")
    assert axis_sources(run)["goal"] == (2, "H-0001.R-02")
    literal = run.with_policy(ReviewPolicy(latest_axes="literal"))
    assert axis_sources(literal)["novelty"] == (1, "H-0001.R-02")


def test_what_the_file_is_called_stands_in_for_missing_ids(tmp_path: Path) -> None:
    run = run_with(tmp_path, {"H-0001.R-07": a_review(id=..., hypothesis_id=...)})
    assert axis_sources(run)["novelty"] == (3, "H-0001.R-07")


def test_weights_come_from_the_last_that_sets_them(tmp_path: Path) -> None:
    settings = "tournament: {composite: {preset: strict_constraints, weights: {novelty: 7}}}"
    run = run_with(tmp_path, {}, settings=settings)

    def found(*given: Any) -> tuple[float, ...]:
        weights = run.weights(*given)
        return weights.goal, weights.constraint, weights.novelty

    assert found() == (35, 70, 7)
    assert run.weights().changed
    assert found("balanced") == (50, 50, 20)
    assert not run.weights("balanced").changed
    assert found("balanced", {"goal": 1}) == (1, 50, 20)
    assert found(None, {"goal": 1}) == (1, 70, 7)
    assert resolve_weights(None).preset == "balanced"


@pytest.mark.parametrize("weight", ["-1", "nan", "inf", "-inf", "1e9", "x", ""])
def test_a_weight_that_is_no_weight_is_refused_wherever_it_stands(weight: str, tmp_path: Path) -> None:
    with pytest.raises(PolicyError):
        read_weights(f"goal={weight}")
    shown = {"nan": ".nan", "inf": ".inf", "-inf": "-.inf", "": "''"}.get(weight, weight)
    run = run_with(tmp_path, {}, settings=f"tournament: {{composite: {{weights: {{goal: {shown}}}}}}}")
    with pytest.raises(PolicyError):
        run.weights()


@pytest.mark.parametrize("text", ["goal", "goal=1,goal=2", "rank=1", "=1", "goal=1=2", "true=1"])
def test_what_sets_no_weight_is_refused(text: str) -> None:
    with pytest.raises(PolicyError):
        read_weights(text)


def test_blanks_capitals_and_a_trailing_comma_in_weights_are_taken() -> None:
    assert read_weights(" Goal = 1 , novelty=0, ") == {"goal": 1.0, "novelty": 0.0}


def test_an_unknown_preset_lists_the_known_ones(tmp_path: Path) -> None:
    run = run_with(tmp_path, {}, settings="tournament: {composite: {preset: best}}")
    for make in (run.weights, lambda: preset_weights("best")):
        with pytest.raises(PolicyError, match="balanced, disable_novelty"):
            make()


def test_a_preset_needs_the_composite(tmp_path: Path) -> None:
    run = run_with(tmp_path, {})
    for options in ({"preset": "balanced"}, {"weights": {"goal": 1.0}}):
        with pytest.raises(PolicyError, match="require --composite"):
            run.standings(**options)


def test_without_the_composite_neither_reviews_nor_settings_are_read(tmp_path: Path) -> None:
    run = run_with(tmp_path, {}, settings="[")
    (run.path / "reviews/H-0001.R-01.json").write_text("{")
    assert list(run.standings()["hypothesis_id"]) == IDS[:3]


def test_standings_are_by_rating_then_id_and_an_unrated_one_stands_at_the_start(tmp_path: Path) -> None:
    run = run_with(tmp_path, {})
    put(run.path / "ratings/epoch-9.json", rated(H_0001=1, H_0002=1))
    put(run.path / "ratings/epoch-10.json", rated(H_0003=1500, H_0002=1520, H_0009=1400))
    put(run.path / "ratings/epoch-x.json", {})
    frame = run.standings()
    assert list(frame["hypothesis_id"]) == ["H-0002", "H-0001", "H-0003", "H-0009"]
    assert list(frame["elo"]) == [1520, 1500, 1500, 1400]
    assert list(frame["rated"]) == [True, False, True, True]


@pytest.mark.parametrize("how", ["moved", "interrupted", "two_files", "status_only"])
def test_whoever_is_in_quarantine_stands_nowhere_and_is_never_paired(how: str, tmp_path: Path) -> None:
    run = run_with(tmp_path, {})
    put(run.path / "ratings/epoch-1.json", rated(H_0001=1600, H_0002=1500, H_0003=1400))
    file = run.path / "hypotheses/H-0001.json"
    if how == "moved":
        file.rename(run.path / "quarantine/H-0001.json")
    elif how == "interrupted":
        put(run.path / ".novelty-quarantine-H-0001.json", {})
    elif how == "two_files":
        put(run.path / "quarantine/H-0001.json", a_hypothesis())
    else:
        put(file, a_hypothesis(status="quarantined"))
    assert run.quarantined() == {"H-0001": how}
    for frame in (run.standings(), run.standings(composite=True)):
        assert list(frame["hypothesis_id"]) == ["H-0002", "H-0003"]
    assert run.pairing().pairs == (("H-0002", "H-0003"),)
    with pytest.raises(InputError, match="quarantine"):
        run.pairing(forced=[("H-0001", "H-0002")])


def test_a_hypothesis_that_cannot_be_read_might_be_quarantined_so_nobody_stands(tmp_path: Path) -> None:
    run = run_with(tmp_path, {})
    (run.path / "hypotheses/H-0002.json").write_text("{")
    with pytest.raises(DocumentError, match=r"hypotheses/H-0002\.json"):
        run.standings()


def test_ratings_that_are_no_ratings_are_named(tmp_path: Path) -> None:
    run = run_with(tmp_path, {})
    put(run.path / "ratings/epoch-1.json", {"ratings": {"H-0001": {"elo": "high"}, "../x": {"elo": 1}}})
    with pytest.raises(DocumentError, match="no ratings record") as refused:
        run.standings()
    assert len(refused.value.problems) == 2


def test_elo_replay_follows_its_formula() -> None:
    played = [Match(f"M-{n:04d}", 0, "a", "b", "a", "decisive", f"{n:02d}") for n in range(1, 13)]
    first = replay(played[:1])
    assert (first["a"].elo, first["b"].elo) == (1520.0, 1480.0)
    narrow = replay([Match("M-0001", 0, "a", "b", "b", "narrow", "")])
    assert (narrow["a"].elo, narrow["b"].elo) == (1485.0, 1515.0)
    drawn = replay([Match("M-0001", 0, "a", "b", "draw", "narrow", "")])
    assert drawn == {"a": Rating(1500.0, 1, 0, 1), "b": Rating(1500.0, 1, 0, 1)}
    elo = {"a": 1500.0, "b": 1500.0}
    for n in range(1, 13):
        k = 40 if n <= 5 else 24 if n <= 10 else 16
        gain = k * (1 - 1 / (1 + 10 ** ((elo["b"] - elo["a"]) / 400)))
        elo = {"a": elo["a"] + gain, "b": elo["b"] - gain}
    after = replay(played)
    assert after["a"].elo == pytest.approx(elo["a"], abs=1e-9)
    assert (after["a"].wins, after["b"].wins, after["a"].matches) == (12, 0, 12)


def test_without_a_ratings_file_the_ledger_is_replayed_in_its_order(tmp_path: Path) -> None:
    run = run_with(tmp_path, {})
    put(run.path / "matches/M-0001.json", a_match(1, "H-0001", "H-0002", "H-0002", created_at="2"))
    put(run.path / "matches/M-0002.json", a_match(2, "H-0001", "H-0002", "H-0001", created_at="1", epoch=3))
    ratings = run.ratings()
    assert (ratings.source, ratings.epoch) == ("replayed", 3)
    assert ratings.of("H-0001").elo < ratings.of("H-0002").elo, "the later win counts more"


@pytest.mark.parametrize(("winner", "b"), [("H-0003", "H-0002"), ("", "H-0002"), ("H-0001", "H-0001")])
def test_a_match_that_nobody_can_have_won_is_named(winner: str, b: str, tmp_path: Path) -> None:
    run = run_with(tmp_path, {})
    put(run.path / "matches/M-0001.json", a_match(1, "H-0001", b, winner))
    with pytest.raises(DocumentError, match="invalid winner"):
        run.ratings()


def mean(value: float) -> ReviewMean:
    return ReviewMean(1, value, None, value, value)


def test_five_at_the_start_all_play_and_the_bye_goes_round() -> None:
    pairing = swiss_pairing(IDS, Ratings(), {})
    assert pairing.pairs[:2] == (("H-0001", "H-0002"), ("H-0003", "H-0004"))
    assert len(pairing.pairs) == 6
    assert len(set(pairing.byes)) == len(pairing.byes) == 3
    assert {one for pair in pairing.pairs for one in pair} == set(IDS)


def test_a_reviewed_hypothesis_is_seeded_on_the_same_scale_as_the_others() -> None:
    good = swiss_pairing(IDS, Ratings(), {"H-0005": mean(4.75)}, budget=2)
    assert good.pairs[0] == ("H-0005", "H-0001")
    assert good.byes == ("H-0004",)
    poor = swiss_pairing(IDS, Ratings(), {"H-0001": mean(1.5)}, budget=2)
    assert poor.byes == ("H-0001",)
    neutral = swiss_pairing(IDS, Ratings(), {"H-0003": mean(3.0)}, budget=2)
    assert neutral.pairs == swiss_pairing(IDS, Ratings(), {}, budget=2).pairs


def test_an_unrated_hypothesis_is_paired() -> None:
    ratings = Ratings({"H-0001": Rating(1600, 3), "H-0002": Rating(1400, 3)}, 1, "file")
    pairing = swiss_pairing(IDS[:4], ratings, {}, budget=2)
    assert {one for pair in pairing.pairs for one in pair} == set(IDS[:4])


def test_whoever_played_most_sits_out_first() -> None:
    ratings = Ratings({"H-0002": Rating(1500, 9)}, 1, "file")
    assert swiss_pairing(IDS[:3], ratings, {}, budget=1).byes == ("H-0002",)


@pytest.mark.parametrize(
    ("window", "epoch", "may"), [(2, 1, False), (2, 2, True), (1, 1, True), (1, 0, False), (0, 0, True)]
)
def test_a_pair_meets_again_only_outside_the_window(window: int, epoch: int, may: bool) -> None:
    played = [Match("M-0001", 0, "H-0001", "H-0002", "draw", "", "")]
    pairing = swiss_pairing(IDS[:2], Ratings(), {}, played, epoch=epoch, window=window)
    assert bool(pairing.pairs) == may


def test_forced_pairs_come_first_and_use_the_budget() -> None:
    played = [Match("M-0001", 0, "H-0001", "H-0005", "draw", "", "")]
    pairing = swiss_pairing(IDS, Ratings(), {}, played, budget=3, forced=[("H-0001", "H-0005")])
    assert pairing.pairs[0] == ("H-0001", "H-0005")
    assert len(pairing.pairs) == 3
    assert len({frozenset(pair) for pair in pairing.pairs}) == 3
    with pytest.raises(InputError):
        swiss_pairing(IDS, Ratings(), {}, forced=[("H-0001", "H-0001")])


@pytest.mark.parametrize(("ids", "budget"), [(IDS[:1], 10), ([], 10), (IDS, 0), (IDS, -1)])
def test_nobody_to_play_or_no_budget_gives_no_pair(ids: list[str], budget: int) -> None:
    assert swiss_pairing(ids, Ratings(), {}, budget=budget).pairs == ()


@given(
    st.integers(2, 12),
    st.integers(1, 40),
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=12),
    st.randoms(use_true_random=False),
)
@settings(max_examples=200, deadline=None)
def test_a_pairing_keeps_its_rules(n: int, budget: int, met: list[tuple[int, int]], chance: Any) -> None:
    ids = [f"H-{number:04d}" for number in range(n)]
    played = [
        Match(f"M-{at:04d}", 0, ids[a], ids[b], "draw", "", "")
        for at, (a, b) in enumerate(met)
        if a != b and a < n and b < n
    ]
    ratings = Ratings({one: Rating(chance.randint(1300, 1700), 3) for one in ids[::2]}, 0, "file")
    pairing = swiss_pairing(ids, ratings, {}, played, budget=budget)
    assert pairing == swiss_pairing(reversed(ids), ratings, {}, reversed(played), budget=budget)
    assert len(pairing.pairs) <= budget
    pairs = [frozenset(pair) for pair in pairing.pairs]
    assert len(set(pairs)) == len(pairs)
    assert not set(pairs) & {frozenset((match.a, match.b)) for match in played}
    if not played and budget >= 40:
        rounds = max(1, math.ceil(math.log2(n)))
        counts = [pairing.byes.count(one) for one in ids]
        if n > 3:
            assert len(pairing.pairs) == rounds * (n // 2)
            assert max(counts) - min(counts) <= 1


def test_the_numbers_of_the_rubric_are_those_of_the_tables() -> None:
    assert json.loads(json.dumps(dict(rubric().rating)))["k"] == [
        {"up_to": 5, "k": 40},
        {"up_to": 10, "k": 24},
        {"up_to": None, "k": 16},
    ]
    assert set(rubric().axes) == {
        "correctness",
        "novelty",
        "testability",
        "safety",
        "goal_alignment",
        "constraint_compliance",
    }
    assert all(set(axis.anchors) == {1, 2, 3, 4, 5} for axis in rubric().axes.values())
    assert len(rubric().safety_screen["concern_areas"]) == 8
    assert len(rubric().safety_screen["factors"]) == 5
