"""The gate: FAIL, PASS-WITH-NOTES or PASS, with every reason and its place.

Order of work: the declaration test once, then checks 0 to 4 for each experiment that is named, then the
citation rows; all reasons are collected. The one place that knows which claims a stage looks at and how
reasons become an outcome. Reads the passport and, where named, a manuscript and a folder of results. No
network. No clock.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from novelty_kit.errors import InputError
from novelty_kit.passport.finding import shown
from novelty_kit.passport.gate_citation import citation_pair, citation_reasons
from novelty_kit.passport.gate_declaration import declaration_test, structure_test
from novelty_kit.passport.gate_entry import EntryChecks, Surfaced
from novelty_kit.passport.index import Claim, PassportIndex, Row
from novelty_kit.passport.invariants.citation_terms import SENTINEL_MANIFEST_ID
from novelty_kit.passport.judge import Judge
from novelty_kit.passport.lock import check_passport_lock
from novelty_kit.passport.outcome import CHECK_ORDER, ClaimStatus, GateResult, Outcome, Reason, outcome_of
from novelty_kit.passport.prose import Manuscript, read_manuscript
from novelty_kit.passport.record import Passport
from novelty_kit.passport.schema import violations
from novelty_kit.passport.seen import Pair, Seen, fail, info, note

__all__ = ["SAMPLE_TENTHS", "gate_passport", "sampled_pairs"]

# Share of the experiment-backed claims that stage 2.5 looks at, in tenths, rounded up.
SAMPLE_TENTHS: Final = 3

_STAGES: Final = ("2.5", "4.5")


def gate_passport(
    passport: Passport,
    *,
    stage: str | float = "4.5",
    manuscript: str | os.PathLike[str] | Manuscript | None = None,
    judge: Judge | None = None,
    surfaced: Surfaced | None = None,
    prose: bool = True,
    results: str | os.PathLike[str] | None = None,
) -> GateResult:
    """Hold a passport against the gate.

    Parameters
    ----------
    passport : Passport
    stage : {"4.5", "2.5"}
        All experiment-backed claims, or the 30 % of them whose pair has the smallest sha256.
    manuscript : path or Manuscript, optional
        A Markdown draft, for the heuristics over prose.
    judge : callable, optional
        Asked about every alignment row; its verdict counts where it is worse than the stored one.
    surfaced : mapping, optional
        Experiment id to ``{"negative_results": [bool, …], "known_limitations": [bool, …]}``: what the
        manuscript shows, where somebody has looked. Wins over the heuristic.
    prose : bool
        False switches the heuristics off.
    results : path, optional
        Folder of real result files to hold the declared values against.

    Returns
    -------
    GateResult

    Raises
    ------
    InputError
        An unknown stage, a `surfaced` or a judge's answer of another shape, an unreadable manuscript.
    """
    stage = str(stage)
    if stage not in _STAGES:
        raise InputError(f"no stage is called {shown(stage)}", remedy="The stages are 2.5 and 4.5")
    if not isinstance(passport.body, dict):
        message = f"the passport is {shown(passport.body)}, not an object: nothing was checked"
        return GateResult(Outcome.FAIL, stage, (Reason("structure", "fail", "UNREADABLE", "", message, 1),))
    index = passport.index
    _check_surfaced(surfaced, index)
    draft = _draft(manuscript) if prose else None
    pairs = sampled_pairs(index) if stage == "2.5" else None
    claims = [claim for claim in index.claims if pairs is None or claim.pair in pairs]
    rows = _in_scope(index.rows("experiment_alignment_results"), pairs)
    cited = _in_scope(index.rows("claim_audit_results"), pairs)
    entries = EntryChecks(index, claims, rows, stage == "4.5", judge, draft, surfaced)
    seen = [
        *declaration_test(index, draft),
        *structure_test(index),
        *entries.run(),
        *citation_reasons(index, cited),
        *_result_reasons(index, results),
        *_information(passport, pairs, draft, surfaced),
    ]
    seen.sort(key=lambda item: CHECK_ORDER.index(item.reason.check))
    reasons = _with_lines(passport, seen)
    statuses = _statuses(claims, [*rows, *cited], seen)
    return GateResult(
        outcome=outcome_of(reasons),
        stage=stage,
        reasons=reasons,
        claims=statuses,
        verdicts=tuple(entries.verdicts),
        histogram=_histogram(seen),
    )


def sampled_pairs(index: PassportIndex) -> frozenset[Pair]:
    """The claims that stage 2.5 looks at: the first 30 % (rounded up) of the experiment-backed ones.

    First by the sha256 of manifest id, newline, claim id: the same claims every time, whatever their order.
    """
    backed = {claim.pair for claim in index.claims if claim.pair is not None and claim.plan}
    hashed = sorted(
        (hashlib.sha256("\n".join(pair).encode("utf-8", "surrogatepass")).hexdigest(), pair)
        for pair in backed
    )
    return frozenset(pair for _, pair in hashed[: -(-SAMPLE_TENTHS * len(hashed) // 10)])


def _in_scope(rows: Sequence[Row], pairs: frozenset[Pair] | None) -> list[Row]:
    """The rows of the sampled claims, sentinel rows always; every row where nothing is sampled."""
    if pairs is None:
        return list(rows)
    return [
        row
        for row in rows
        if citation_pair(row) in pairs or row.get("scoped_manifest_id") == SENTINEL_MANIFEST_ID
    ]


def _draft(manuscript: str | os.PathLike[str] | Manuscript | None) -> Manuscript | None:
    if manuscript is None or isinstance(manuscript, Manuscript):
        return manuscript
    return read_manuscript(manuscript)


def _check_surfaced(surfaced: Surfaced | None, index: PassportIndex) -> None:
    for name, arrays in (surfaced or {}).items():
        if name not in index.experiments:
            raise InputError(f"surfaced names {shown(name)}, which is no experiment of the passport")
        if not isinstance(arrays, Mapping):
            raise InputError(
                f"surfaced[{shown(name)}] is no mapping", remedy="Map each array to a list of booleans"
            )
        for key, flags in arrays.items():
            listed = isinstance(flags, (list, tuple)) and all(isinstance(flag, bool) for flag in flags)
            if key not in ("negative_results", "known_limitations") or not listed:
                raise InputError(
                    f"surfaced[{shown(name)}][{shown(key)}] cannot be read",
                    remedy="negative_results and known_limitations, each a list of booleans",
                )


def _result_reasons(index: PassportIndex, results: str | os.PathLike[str] | None) -> Iterator[Seen]:
    if results is None:
        return
    from novelty_kit.passport.results import check_results

    for issue in check_results(index, results):
        finding, code = issue.finding, f"RESULT-{issue.kind.upper().replace('_', '-')}"
        # A file that is not at hand, or in another format, shows nothing either way.
        build = note if issue.kind in ("missing", "unread") else fail
        yield build("result", code, finding.at, f"{finding.message}; expected {finding.expected}")


def _information(
    passport: Passport, pairs: frozenset[Pair] | None, draft: Manuscript | None, surfaced: Surfaced | None
) -> Iterator[Seen]:
    """What a reader should know and what changes no outcome."""
    index = passport.index
    if pairs is not None:
        backed = {claim.pair for claim in index.claims if claim.pair is not None and claim.plan}
        message = f"stage 2.5 looked at {len(pairs)} of {len(backed)} experiment-backed claims"
        yield info("scope", "SAMPLED", ("claim_intent_manifests",), message)
    if index.claims and not index.rows("claim_audit_results"):
        message = "no citation row is there yet: the citation path was not looked at"
        yield info("citation", "CITATION-NONE", (), message)
    if index.experiments and draft is None and not surfaced:
        message = (
            "no manuscript was looked at: whether it shows the declared negatives and limitations is open"
        )
        yield info("4", "CHECK-4-NOT-LOOKED", ("experiment_provenance",), message)
    yield from _unreferenced(index)
    for finding in check_passport_lock(index.body) if index.body.get("repro_lock") is not None else ():
        yield info("legacy", "REPRO-LOCK", finding.at, f"{finding.message}; expected {finding.expected}")
    tags = Counter(finding.tag for finding in passport.check())
    if tags:
        listed = ", ".join(f"{tag} {n}" for tag, n in sorted(tags.items()))
        yield info("scope", "CHECK-FINDINGS", (), f"the check of the whole passport finds: {listed}")


def _unreferenced(index: PassportIndex) -> Iterator[Seen]:
    named = {name for claim in index.claims for name in claim.plan}
    named |= {
        name for row in index.rows("experiment_alignment_results") if (name := row.text("experiment_id"))
    }
    for entry in index.rows("experiment_provenance"):
        if entry.text("experiment_id") in named:
            continue
        what = f"no claim and no row names experiment {shown(entry.get('experiment_id'))}"
        if faults := len(violations("experiment_provenance", entry.value, entry.path)):
            yield info(
                "scope", "UNREFERENCED-MALFORMED", entry.path, f"{what}; its shape has {faults} faults"
            )
        else:
            yield info("scope", "UNREFERENCED", entry.path, what)


def _with_lines(passport: Passport, seen: list[Seen]) -> tuple[Reason, ...]:
    lines = passport.lines([item.path for item in seen])
    return tuple(
        item.reason if item.reason.in_manuscript else replace(item.reason, line=lines.get(item.path))
        for item in seen
    )


def _statuses(claims: Iterable[Claim], rows: Iterable[Row], seen: Iterable[Seen]) -> dict[str, ClaimStatus]:
    """Each claim in scope with the worst over all its rows; the pair is the only key."""
    with_rows = {citation_pair(row) for row in rows}
    failing: dict[Pair, set[str]] = {}
    noted: set[Pair] = set()
    for item in seen:
        for pair in item.pairs:
            if item.reason.severity == "fail":
                failing.setdefault(pair, set()).add(item.way)
            elif item.reason.severity == "note":
                noted.add(pair)
    statuses = {}
    for pair in dict.fromkeys(claim.pair for claim in claims if claim.pair is not None):
        if pair in failing:
            status = ClaimStatus("blocked", tuple(sorted(failing[pair])))
        elif pair in noted:
            status = ClaimStatus("noted")
        else:
            status = ClaimStatus("clean" if pair in with_rows else "no_rows")
        statuses["/".join(pair)] = status
    return statuses


def _histogram(seen: Iterable[Seen]) -> dict[str, int]:
    """How many claims fail on each path: a claim that fails on both counts twice."""
    failing = {(pair, item.way) for item in seen if item.reason.severity == "fail" for pair in item.pairs}
    return {way: sum(1 for _, one in failing if one == way) for way in ("citation", "experiment")}
