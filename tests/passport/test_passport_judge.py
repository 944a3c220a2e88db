"""Pointers, the judge of numbers, and numbers in sentences: what they say, and where they cannot tell."""

from __future__ import annotations

from typing import Any

import pytest
from passport_cases import base

from novelty_kit.passport import Passport
from novelty_kit.passport.judge import JudgedClaim
from novelty_kit.passport.number_judge import NumberJudge
from novelty_kit.passport.pointer import NOTHING, resolve_pointer
from novelty_kit.passport.quantity import quantities, quantity_of
from novelty_kit.passport.verdict import Verdict, denied_by, nothing_ran, worst

ENTRY: dict[str, Any] = {
    "planned_vs_executed": [
        {"planned": "a", "executed": True, "result_file": "r/a.json", "metric": "acc", "value": 0.9},
        {"planned": "b", "executed": True, "result_file": "r/a.json", "metric": "loss", "value": 0},
        {"planned": "c", "executed": False, "skip_reason": "no time"},
        {"planned": "d", "executed": True, "result_file": "r/d.json"},
    ],
    "negative_results": [{"description": "No gain.", "result_file": "r/n.json"}],
    "known_limitations": [],
    "a/b": {"~": [7]},
}


@pytest.mark.parametrize(
    ("pointer", "exists", "unit", "value"),
    [
        ("r/a.json#acc", True, 0, 0.9),
        ("r/a.json#loss", True, 1, 0),
        ("r/a.json", True, None, None),
        ("r/a.json#", True, None, None),
        ("r/d.json", True, 3, None),
        ("r/n.json", True, None, None),
        ("r/a.json#f1", False, None, None),
        ("r/n.json#acc", False, None, None),
        ("r/z.json", False, None, None),
        ("planned_vs_executed[0]", True, 0, 0.9),
        ("planned_vs_executed[2]", True, 2, None),
        ("planned_vs_executed[9]", False, None, None),
        ("planned_vs_executed[-1]", False, None, None),
        ("planned_vs_executed[99999999999]", False, None, None),
        ("planned_vs_executed[٠]", False, None, None),
        ("/planned_vs_executed/0/value", True, 0, 0.9),
        ("/planned_vs_executed/1", True, 1, 0),
        ("/planned_vs_executed/01", False, None, None),
        ("/negative_results/0/description", True, None, "No gain."),
        ("/a~1b/~0/0", True, None, 7),
        ("/nothing/here", False, None, None),
        ("/etc/passwd#acc", False, None, None),
        ("", False, None, None),
        ("#acc", False, None, None),
    ],
)
def test_a_pointer_names_what_it_names(pointer: str, exists: bool, unit: int | None, value: Any) -> None:
    target = resolve_pointer(pointer, ENTRY)
    assert (target.exists, target.unit, target.value) == (exists, unit, value)


def test_a_value_of_zero_or_false_is_a_value_and_null_is_none() -> None:
    assert resolve_pointer("r/a.json#loss", ENTRY).has_value
    assert resolve_pointer("/x", {"x": False}).has_value
    assert not resolve_pointer("/x", {"x": None}).has_value


def test_a_pointer_into_an_entry_of_another_shape_names_nothing() -> None:
    for units in (None, 3, "x", {}, [None, 3]):
        assert not resolve_pointer("planned_vs_executed[5]", {"planned_vs_executed": units}).exists
        assert not resolve_pointer("a#b", {"planned_vs_executed": units, "negative_results": units}).exists


def judged(text: str, value: Any, metric: str = "accuracy", **more: Any) -> tuple[str, str]:
    unit = {
        "planned": more.pop("planned", "x"),
        "executed": True,
        "metric": metric,
        "value": value,
        "result_file": "r.json",
    }
    entry = {"planned_vs_executed": [unit], "negative_results": [], **more}
    pointer = f"r.json#{metric}"
    claim = JudgedClaim("m", "c", text, "", "e", pointer, "", "", "ALIGNED", resolve_pointer(pointer, entry))
    answer = NumberJudge()(claim, entry)
    return answer.verdict.value, answer.rationale


@pytest.mark.parametrize(
    ("text", "value", "metric", "verdict"),
    [
        ("The model reaches 95% accuracy.", 0.91, "accuracy", "OVERSTATED"),
        ("The model reaches 95 percent accuracy.", "91%", "accuracy", "OVERSTATED"),
        ("Accuracy was 0.93 with 3 seeds in 2021 (n = 12, p < 0.05).", 0.91, "accuracy", "OVERSTATED"),
        ("Latency fell to 40 ms.", "50 ms", "latency", "OVERSTATED"),
        ("Pulse watering raised mean mass to 150 g.", 142.5, "mean_mass_g", "OVERSTATED"),
        ("Throughput of 1,200 req/s.", 1000, "throughput", "OVERSTATED"),
        ("Accuracy exceeds 92%.", 0.91, "accuracy", "OVERSTATED"),
        ("The model reaches 91% accuracy.", 0.91, "accuracy", "ALIGNED"),
        ("Accuracy was 0.91.", 0.9134, "accuracy", "ALIGNED"),
        ("Mean mass was 143 g.", 142.5, "mean_mass_g", "ALIGNED"),
        ("Accuracy is at least 90%.", "91%", "accuracy", "ALIGNED"),
        ("The peak stays below 0.35 m/s2.", "0.31 m/s2", "peak", "ALIGNED"),
        ("Accuracy was 88%.", 0.91, "accuracy", "PROVENANCE_INSUFFICIENT"),
        ("Accuracy improved by 5%.", 0.91, "accuracy", "PROVENANCE_INSUFFICIENT"),
        ("Accuracy rose 3-fold.", 0.91, "accuracy", "PROVENANCE_INSUFFICIENT"),
        ("Accuracy rose from 80% to 95%.", 0.91, "accuracy", "PROVENANCE_INSUFFICIENT"),
        ("Accuracy did not reach 95%.", 0.91, "accuracy", "PROVENANCE_INSUFFICIENT"),
        ("Accuracy may reach 95%.", 0.91, "accuracy", "PROVENANCE_INSUFFICIENT"),
        ("The model is better.", 0.91, "accuracy", "PROVENANCE_INSUFFICIENT"),
        ("Accuracy is high.", 0.91, "accuracy", "PROVENANCE_INSUFFICIENT"),
        ("F1 was 0.95.", 0.91, "accuracy", "PROVENANCE_INSUFFICIENT"),
        ("Latency was 40 s.", "50 ms", "latency", "PROVENANCE_INSUFFICIENT"),
        ("The glow was 9.", 7, "glow", "PROVENANCE_INSUFFICIENT"),
        ("Accuracy was 0.95.", [0.91, 0.92], "accuracy", "PROVENANCE_INSUFFICIENT"),
        ("Accuracy was 0.95.", True, "accuracy", "PROVENANCE_INSUFFICIENT"),
        ("Accuracy was 0.95.", "high", "accuracy", "PROVENANCE_INSUFFICIENT"),
        ("Accuracy was 0.95.", None, "accuracy", "PROVENANCE_INSUFFICIENT"),
        ("accuracy " * 1000 + "0.95", 0.91, "accuracy", "PROVENANCE_INSUFFICIENT"),
        ("", 0.91, "accuracy", "PROVENANCE_INSUFFICIENT"),
    ],
)
def test_the_judge_of_numbers_says(text: str, value: Any, metric: str, verdict: str) -> None:
    assert judged(text, value, metric)[0] == verdict


@pytest.mark.parametrize(
    ("text", "metric", "verdict"),
    [
        (
            "At a margin of three years the missed link rate was 0.012.",
            "missed_link_rate_at_three_years",
            "ALIGNED",
        ),
        (
            "Without the gate the missed link rate was 0.012.",
            "missed_link_rate_with_gate",
            "PROVENANCE_INSUFFICIENT",
        ),
        ("The rate of links was 0.012.", "link_rate", "PROVENANCE_INSUFFICIENT"),
        ("Recall for 5 hits at best was 0.012.", "recall_at_5", "ALIGNED"),
    ],
)
def test_a_long_name_is_given_where_all_its_parts_are(text: str, metric: str, verdict: str) -> None:
    assert judged(text, 0.012, metric)[0] == verdict


def test_words_of_the_plan_may_stand_inside_the_name_of_a_metric() -> None:
    text = "Pulse watering raised mean fruit mass to 150 g."
    assert judged(text, 142.5, "mean_mass_g")[0] == "PROVENANCE_INSUFFICIENT"
    assert judged(text, 142.5, "mean_mass_g", planned="mean fruit mass per plant")[0] == "OVERSTATED"


def test_the_judge_applies_rules_1_2_and_3() -> None:
    entry: dict[str, Any] = base()["experiment_provenance"][0]

    def ask(pointer: str) -> tuple[str, str]:
        claim = JudgedClaim(
            "m", "c", "Hardness was 6.4.", "", "e", pointer, "", "", "", resolve_pointer(pointer, entry)
        )
        answer = NumberJudge()(claim, entry)
        return answer.verdict.value, answer.rationale

    assert ask("kiln/a.json#hardness")[0] == "ALIGNED"
    assert ask("kiln/z.json#hardness") == (
        "NOT_SUPPORTED_BY_PROVENANCE",
        "the result pointer names nothing in the entry",
    )
    assert ask("planned_vs_executed[1]") == ("NOT_SUPPORTED_BY_PROVENANCE", "the pointed-at unit did not run")
    entry["negative_results"][0]["description"] = "No change in hardness."
    assert ask("kiln/a.json#hardness")[1].startswith("negative result 0 denies it")
    for unit in entry["planned_vs_executed"]:
        unit["executed"] = False
    assert ask("kiln/a.json#hardness") == ("NOT_SUPPORTED_BY_PROVENANCE", "no planned unit ran")


def test_the_worse_of_the_rows_text_and_the_manifests_text_counts() -> None:
    body = base()
    body["experiment_alignment_results"][0]["claim_text"] = "Slow cooling raised hardness to 7.9."
    answer = Passport(body).gate(judge=NumberJudge())
    assert answer.verdicts[0].effective == "OVERSTATED"
    body["experiment_alignment_results"][0]["claim_text"] = "Hardness was 6.4."
    body["claim_intent_manifests"][0]["claims"][0]["claim_text"] = "Slow cooling raised hardness to 7.9."
    assert Passport(body).gate(judge=NumberJudge()).verdicts[0].effective == "OVERSTATED"


def test_verdicts_have_one_order() -> None:
    assert worst([Verdict.ALIGNED, Verdict.OVERSTATED, Verdict.PROVENANCE_INSUFFICIENT]) is Verdict.OVERSTATED
    assert worst(Verdict) is Verdict.NOT_SUPPORTED_BY_PROVENANCE


def test_nothing_ran_only_where_every_unit_says_so() -> None:
    assert nothing_ran({"planned_vs_executed": [{"executed": False}, {"executed": False}]})
    for units in ([], None, [{"executed": False}, {"executed": True}], [{"executed": None}], [{}], ["x"]):
        assert not nothing_ran({"planned_vs_executed": units})


@pytest.mark.parametrize(
    ("metric", "description", "denied"),
    [
        ("acc", "No gain in acc was seen.", True),
        ("acc", "ACC stayed.", True),
        ("acc", "The accuracy stayed.", False),
        ("mean_mass_g", "mean_mass_g stayed.", True),
        ("mean mass", "The mean  mass\nstayed.", True),
        ("a.c", "abc stayed.", False),
        ("(x", "the (x stayed", True),
        (" ", "anything", False),
    ],
)
def test_a_negative_result_is_linked_by_the_metric_as_a_whole_word(
    metric: str, description: str, denied: bool
) -> None:
    entry = {
        "planned_vs_executed": [{"executed": True, "result_file": "f", "metric": metric}],
        "negative_results": [{"description": description}],
    }
    assert (denied_by(entry, resolve_pointer("planned_vs_executed[0]", entry)) is not None) is denied


def test_nothing_is_denied_where_nothing_is_linked() -> None:
    assert denied_by({"negative_results": [{"description": "x"}, 3, {"result_file": None}]}, NOTHING) is None
    assert denied_by({"negative_results": "x"}, NOTHING) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("12 % and 3.50 kg", [("12", "%"), ("3.50", "kg")]),
        ("from 90-95", [("90", ""), ("95", "")]),
        ("-1.5 \N{MINUS SIGN}2", [("-1.5", ""), ("-2", "")]),
        ("1,234.5 and 1.5e-3", [("1234.5", ""), ("0.0015", "")]),
        ("in 2021, n = 5, p < 0.01, Table 3, 4 seeds, 91.2 ± 0.3", [("91.2", "")]),
        ("0.31 m/s2 g/plant 7 g/plant", [("0.31", "m/s2"), ("7", "")]),
        ("F1 v2 x86 3.12.0 1.2.3", []),
    ],
)
def test_numbers_are_read_with_their_units(text: str, found: list[tuple[str, str]]) -> None:
    assert [
        (f"{float(q.value):g}" if q.value != q.value.to_integral() else str(q.value), q.unit)
        for q in quantities(text)
    ] == [(f"{float(value):g}" if "." in value else value, unit) for value, unit in found]


def test_the_stated_precision_is_half_the_last_place() -> None:
    assert [str(q.half_step) for q in quantities("95 95.2 0.050")] == ["0.5", "0.05", "0.0005"]


def test_a_declared_value_is_a_number_or_none() -> None:
    assert quantity_of("0.31 m/s2") is not None
    for value in (True, None, [1], {"a": 1}, "between 1 and 2", "none", float("inf")):
        assert quantity_of(value) is None
