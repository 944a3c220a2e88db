"""Checks 0 to 4 of the gate, for each experiment that a claim or an alignment row names.

Derivation rules 1 and 2 are computed here and override a stored row; a judge can only make a verdict worse.
Reads the passport's index and, for check 4, what the manuscript shows. No network. No clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from novelty_kit.errors import InputError
from novelty_kit.passport.finding import Path, shown
from novelty_kit.passport.index import Claim, PassportIndex, Row
from novelty_kit.passport.judge import Judge, JudgedClaim
from novelty_kit.passport.outcome import RowVerdict
from novelty_kit.passport.pointer import NOTHING, Target, resolve_pointer
from novelty_kit.passport.prose import Manuscript, surfaced_at
from novelty_kit.passport.schema import violations
from novelty_kit.passport.seen import Pair, Seen, fail, info, note
from novelty_kit.passport.verdict import SEVERITY_OF, Verdict, denied_by, nothing_ran, worst

__all__ = ["EntryChecks", "Surfaced"]

# Experiment id to what of its two disclosure arrays the manuscript shows, item by item.
Surfaced = Mapping[str, Mapping[str, Sequence[bool]]]

_DISCLOSURES: Final = (
    ("negative_results", "CHECK-4-NEGATIVE-EMPTY", "negative result"),
    ("known_limitations", "CHECK-4-LIMITATIONS-EMPTY", "limitation"),
)


@dataclass
class _Mention:
    """Where an experiment id is named, and for which claim."""

    path: Path
    pair: Pair | None
    planned: bool


@dataclass
class EntryChecks:
    """Checks 0 to 4 over the claims and rows that a stage looks at.

    Attributes
    ----------
    index : PassportIndex
    claims : sequence of Claim
        The claims in scope.
    rows : sequence of Row
        The alignment rows in scope.
    all_rows_due : bool
        Whether a planned pair without a row fails (stage 4.5) or is information (2.5).
    judge, draft, surfaced
        As the gate was given them.
    verdicts : list of RowVerdict
        Filled by :meth:`run`.
    """

    index: PassportIndex
    claims: Sequence[Claim]
    rows: Sequence[Row]
    all_rows_due: bool
    judge: Judge | None
    draft: Manuscript | None
    surfaced: Surfaced | None
    verdicts: list[RowVerdict] = field(default_factory=list)

    def run(self) -> Iterator[Seen]:
        """All reasons, experiment by experiment in the order in which they are first named."""
        mentions: dict[str, list[_Mention]] = {}
        for claim in self.claims:
            planned = claim.row.get("planned_experiment_ids")
            for place, name in enumerate(planned if isinstance(planned, list) else ()):
                if isinstance(name, str):
                    path = claim.row.at("planned_experiment_ids", place)
                    mentions.setdefault(name, []).append(_Mention(path, claim.pair, True))
        rows: dict[str, list[Row]] = {}
        for row in self.rows:
            if name := row.text("experiment_id"):
                mentions.setdefault(name, []).append(_Mention(row.at("experiment_id"), _pair(row), False))
                rows.setdefault(name, []).append(row)
        for name, named in mentions.items():
            yield from self._experiment(name, named, rows.get(name, []))

    def _experiment(self, name: str, named: list[_Mention], rows: list[Row]) -> Iterator[Seen]:
        entries = self.index.experiments.get(name, ())
        if not entries:
            for mention in named:
                words = "a claim plans" if mention.planned else "a row names"
                message = f"{words} experiment {shown(name)}, which has no entry"
                yield fail("1", "CHECK-1", mention.path, message, pairs=_pairs([mention]))
            return
        malformed = False
        for entry in entries:
            for fault in violations("experiment_provenance", entry.value, entry.path):
                # Every fault is shown, but one is enough to block the claims.
                pairs = () if malformed else _pairs(named)
                message = f"the entry is malformed: {fault.message}; expected {fault.expected}"
                yield fail("0", "CHECK-0", fault.path, message, pairs=pairs)
                malformed = True
        if len(entries) > 1:
            message = f"experiment {shown(name)} has {len(entries)} entries; which one is meant is open"
            yield fail("1", "CHECK-1", entries[1].at("experiment_id"), message, pairs=_pairs(named))
        elif not malformed:
            yield from self._sound_entry(name, entries[0], named, rows)

    def _sound_entry(self, name: str, entry: Row, named: list[_Mention], rows: list[Row]) -> Iterator[Seen]:
        for unit in entry.within("planned_vs_executed"):
            reason = unit.text("skip_reason")
            if unit.get("executed") is False and not (reason and reason.strip()):
                message = f"{shown(unit.get('planned'))} did not run and nothing says why"
                yield fail("2", "CHECK-2-SKIP-REASON", unit.path, message)
        if nothing_ran(entry.value):
            message = f"no planned unit of {shown(name)} ran, and a claim leans on it"
            yield fail(
                "2", "CHECK-2-NOTHING-RAN", entry.at("planned_vs_executed"), message, pairs=_pairs(named)
            )
        have_row = set()
        for row in rows:
            pair = _pair(row)
            if pair is not None and self.index.has_claim(*pair):
                have_row.add(pair)
                yield from self._row(row, pair, entry)
        yield from self._missing_rows(name, named, have_row)
        yield from self._disclosures(name, entry)

    def _missing_rows(self, name: str, named: list[_Mention], have_row: set[Pair]) -> Iterator[Seen]:
        for mention in named:
            if not mention.planned or mention.pair is None or mention.pair in have_row:
                continue
            have_row.add(mention.pair)
            message = f"no alignment row holds the claim against {shown(name)}"
            if self.all_rows_due:
                yield fail("3", "CHECK-3-NO-ROW", mention.path, message, pairs=(mention.pair,))
            else:
                yield info("3", "CHECK-3-NO-ROW", mention.path, message)

    def _row(self, row: Row, pair: Pair, entry: Row) -> Iterator[Seen]:
        stored = row.text("alignment_verdict")
        if stored not in tuple(Verdict):
            return
        path = row.at("alignment_verdict")
        pointer = row.text("result_pointer")
        target = resolve_pointer(pointer, entry.value) if pointer is not None else NOTHING
        verdicts, because = [Verdict(stored)], [f"the row says {stored}"]
        if nothing_ran(entry.value):
            verdicts.append(Verdict.NOT_SUPPORTED_BY_PROVENANCE)
            because.append("rule 1: no planned unit ran")
        if (link := denied_by(entry.value, target)) is not None:
            verdicts.append(Verdict.NOT_SUPPORTED_BY_PROVENANCE)
            because.append(f"rule 2: negative result {link[0]} denies it, {link[1]}")
        judged: list[Seen] = []
        if self.judge is not None:
            answer, why = self._ask(self.judge, row, pair, entry, target, stored)
            because.append(why)
            verdicts.append(answer)
            if answer is not worst([answer, Verdict(stored)]):
                judged.append(info("3", "CHECK-3-JUDGE-MILDER", path, f"{why}; the stored {stored} stands"))
        effective = worst(verdicts)
        words = "; ".join(because)
        self.verdicts.append(
            RowVerdict(
                row.text("finding_id") or "", *pair, row.text("experiment_id") or "", stored, effective, words
            )
        )
        changed = f"{effective} counts, not the stored {stored}" if effective != stored else f"{effective}"
        if SEVERITY_OF[effective] == "fail":
            yield fail("3", "CHECK-3", path, f"{changed}: {words}", pairs=(pair,))
        elif SEVERITY_OF[effective] == "note":
            yield note("3", "CHECK-3-INSUFFICIENT", path, f"{changed}: {words}", pairs=(pair,))
        yield from judged
        if self.judge is None and SEVERITY_OF[effective] != "fail":
            yield from self._ask_a_person(row, entry, target)

    def _ask_a_person(self, row: Row, entry: Row, target: Target) -> Iterator[Seen]:
        pointer = shown(row.get("result_pointer"))
        if not target.exists:
            message = f"the result pointer {pointer} names nothing in the entry; a person must look"
            yield info("3", "CHECK-3-POINTER", row.at("result_pointer"), message)
        elif target.executed is False:
            message = f"the result pointer {pointer} names a unit that did not run; a person must look"
            yield info("3", "CHECK-3-POINTER", row.at("result_pointer"), message)
        if n := len(entry.get("negative_results") or ()):
            message = (
                f"whether any of {n} negative results denies the claim takes reading; a person must look"
            )
            yield info("3", "CHECK-3-READ", row.path, message)

    def _ask(
        self, judge: Judge, row: Row, pair: Pair, entry: Row, target: Target, stored: str
    ) -> tuple[Verdict, str]:
        meant = self._texts.get(pair, "")
        claim = JudgedClaim(
            manifest_id=pair[0],
            claim_id=pair[1],
            text=row.text("claim_text") or meant,
            manifest_text=meant,
            experiment_id=row.text("experiment_id") or "",
            result_pointer=row.text("result_pointer") or "",
            manuscript_locator=row.text("manuscript_locator") or "",
            finding_id=row.text("finding_id") or "",
            stored_verdict=stored,
            target=target,
        )
        answer: Any = judge(claim, entry.value)
        if not isinstance(answer, tuple) or len(answer) != 3 or answer[0] not in tuple(Verdict):
            raise InputError(
                f"the judge answered {shown(str(answer))} about {row.text('finding_id')}",
                remedy=f"A judge answers (verdict, rationale, name), the verdict one of {', '.join(Verdict)}",
            )
        verdict = Verdict(answer[0])
        return verdict, f"judge {shown(str(answer[2]))} says {verdict}: {shown(str(answer[1]))}"

    @property
    def _texts(self) -> Mapping[Pair, str]:
        if not self._claim_texts:
            for claim in self.index.claims:
                if claim.pair is not None:
                    self._claim_texts.setdefault(claim.pair, claim.row.text("claim_text") or "")
        return self._claim_texts

    _claim_texts: dict[Pair, str] = field(default_factory=dict, repr=False)

    def _disclosures(self, name: str, entry: Row) -> Iterator[Seen]:
        for key, code, words in _DISCLOSURES:
            items = list(entry.within(key))
            if not items:
                yield note("4", code, entry.at(key), f"{shown(name)} declares no {words}")
            for place, item in enumerate(items):
                yield from self._shown_in_prose(name, key, words, place, item)

    def _shown_in_prose(self, name: str, key: str, words: str, place: int, item: Row) -> Iterator[Seen]:
        what = f"{words} {place} of {shown(name)}"
        stated = ((self.surfaced or {}).get(name) or {}).get(key) or ()
        if place < len(stated):
            if not stated[place]:
                yield note("4", "CHECK-4-NOT-SURFACED", item.path, f"the manuscript does not show {what}")
            return
        if self.draft is None:
            return
        hit = surfaced_at(item.text("description") or "", self.draft)
        if hit is None:
            message = f"heuristic: no Results, Discussion or Limitations sentence seems to show {what}"
            yield note("4", "CHECK-4-NOT-SURFACED", item.path, message, heuristic=True)
        else:
            message = f"heuristic: line {hit.line} of the manuscript seems to show {what}: {shown(hit.text)}"
            yield info(
                "4", "CHECK-4-SURFACED", item.path, message, line=hit.line, heuristic=True, in_manuscript=True
            )


def _pair(row: Row) -> Pair | None:
    manifest_id, claim_id = row.text("scoped_manifest_id"), row.text("claim_id")
    return (manifest_id, claim_id) if manifest_id and claim_id else None


def _pairs(named: list[_Mention]) -> tuple[Pair, ...]:
    return tuple(dict.fromkeys(mention.pair for mention in named if mention.pair is not None))
