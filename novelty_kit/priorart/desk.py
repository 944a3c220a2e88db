"""The adjudication page without its widgets: what is shown, what a key or a button does, and what is saved.

A desk holds one case, one person's draft and where they stand in it. Every act that changes the draft saves
it whole before it returns. All text from data is escaped. Nothing here needs a browser or a notebook.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

from novelty_kit.errors import DocumentError, NoveltyKitError
from novelty_kit.output import for_terminal, shorten
from novelty_kit.priorart.claims import Claim
from novelty_kit.priorart.decisions import Case, Decision, load_draft, save_draft, write_verdicts
from novelty_kit.priorart.proof import Proof
from novelty_kit.priorart.searchlog import Candidate
from novelty_kit.priorart.sentences import sentence_spans
from novelty_kit.priorart.verdicts import GivenQuote, Judge, Verdict

__all__ = ["COMMANDS", "Desk", "shown"]

COMMANDS = {
    "1": "collision",
    "2": "uncited-relevant",
    "3": "clear-under-search",
    "4": "inconclusive",
    "0": "take the verdict back",
    "n": "next claim",
    "p": "previous claim",
    "j": "next candidate",
    "k": "previous candidate",
    "q": "keep the quote",
    "u": "take the last quote back",
    "e": "export",
}


def shown(text: str) -> str:
    """Text from data for a page: markup escaped, and characters that hide or reorder made visible."""
    return escape("\n".join(for_terminal(line) for line in text.split("\n")))


class Desk:
    """One person at one case.

    Parameters
    ----------
    case : Case
        The claims, the search log and the store.
    draft_path : path
        Where decisions are saved; read at the start when it is there.
    export_path : path
        Where the verdict list goes.
    name : str
        Who judges.
    """

    def __init__(self, case: Case, draft_path: str | Path, export_path: str | Path, name: str) -> None:
        if not name.strip():
            raise DocumentError("a verdict is somebody's", remedy="Say who judges")
        self.case = case
        self._draft_path, self._export_path = Path(draft_path), Path(export_path)
        self.draft = load_draft(draft_path, Judge("person", name))
        self.claims = case.claims.admissible
        self.claim_no = self._first_open()
        self.candidate_no = 0
        self.quote: GivenQuote | None = None
        self.proof: Proof | None = None
        self.message = "" if self.claims else "There is no claim to judge."

    def _first_open(self) -> int:
        for number, claim in enumerate(self.claims):
            if self.draft.of_claim(claim).verdict is None:
                return number
        return 0

    @property
    def claim(self) -> Claim | None:
        """The claim on the desk."""
        return self.claims[self.claim_no] if self.claims else None

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The works that were found for it."""
        return self.case.candidates(self.claim) if self.claim else ()

    @property
    def candidate(self) -> Candidate | None:
        """The work beside it."""
        found = self.candidates
        return found[self.candidate_no] if self.candidate_no < len(found) else None

    @property
    def decision(self) -> Decision | None:
        """What is decided on the claim so far."""
        return self.draft.of_claim(self.claim) if self.claim else None

    def text(self) -> str:
        """The candidate's stored text; empty when there is none, with the reason in `message`."""
        if self.candidate is None:
            return ""
        try:
            return self.case.prover.text(self.candidate.text_sha256)
        except DocumentError as error:
            self.message = error.problem.what
            return ""

    def sentences(self) -> list[tuple[str, tuple[int, int]]]:
        """The sentences of the candidate's text, each with its span, for picking by keyboard."""
        found: list[tuple[str, tuple[int, int]]] = []
        at = 0
        for paragraph in re.split(r"(\n[ \t\r]*\n)", self.text()):
            for start, end in sentence_spans(paragraph):
                label = shorten(for_terminal(" ".join(paragraph[start:end].split())), 160)
                found.append((label, (at + start, at + end)))
            at += len(paragraph)
        return found

    def show_claim(self, number: int) -> None:
        """Put a claim on the desk."""
        if 0 <= number < len(self.claims):
            self.claim_no = number
            self.show_candidate(0)

    def show_candidate(self, number: int) -> None:
        """Put a candidate beside the claim; the quote that was being made is let go."""
        if number == 0 or 0 <= number < len(self.candidates):
            self.candidate_no = number
            self.quote = self.proof = None
            self.message = ""

    def select(self, spans: list[tuple[int, int]]) -> None:
        """Quote from the first to the last of these spans of the candidate's text."""
        if not spans:
            self.say_quote("")
            return
        start, end = min(a for a, _ in spans), max(b for _, b in spans)
        self._prove(self.text()[start:end], start, end)

    def say_quote(self, text: str) -> None:
        """Quote these words, wherever they stand in the candidate's text; the proof is made at once."""
        self._prove(text, None, None)

    def _prove(self, text: str, start: int | None, end: int | None) -> None:
        self.quote = self.proof = None
        if text.strip() and self.candidate is not None and self.claim is not None:
            self.quote = GivenQuote(text, self.candidate.text_sha256, start, end)
            self.proof = self.case.prove(self.claim, self.quote)

    def keep_quote(self) -> None:
        """Keep the quote that is proven."""
        if self.claim is None or self.proof is None:
            self.message = "There is no quote to keep."
            return
        try:
            self.draft = self.draft.add_quote(self.claim, self.proof)
        except DocumentError as error:
            self.message = error.problem.what
            return
        self._save("The quote is kept.")

    def drop_quote(self) -> None:
        """Take the last quote back."""
        if self.claim is None or self.decision is None or not self.decision.quotes:
            self.message = "There is no quote to take back."
            return
        self.draft = self.draft.drop_quote(self.claim, len(self.decision.quotes) - 1)
        self._save("The last quote is taken back.")

    def decide(self, verdict: Verdict | None) -> None:
        """Set the verdict on the claim, or take it back."""
        if self.claim is None:
            return
        self.draft = self.draft.decide(self.claim, verdict)
        wanted = [
            line for line in self.draft.missing(self.case) if line.startswith(f"{self.claim.claim_id}: ")
        ]
        self._save(wanted[0] if wanted and verdict else "Saved.")

    def note(self, text: str) -> None:
        """Set the note on the claim."""
        if self.claim is not None and text.strip() != (self.decision.note if self.decision else ""):
            self.draft = self.draft.add_note(self.claim, text)
            self._save("Saved.")

    def _save(self, message: str) -> None:
        try:
            save_draft(self.draft, self._draft_path)
        except NoveltyKitError as error:
            self.message = f"NOT SAVED: {error}"
        else:
            self.message = message

    def export(self) -> None:
        """Write the verdict list; what is still missing is said."""
        try:
            write_verdicts(self.draft, self.case.claims, self._export_path)
        except NoveltyKitError as error:
            self.message = f"NOT EXPORTED: {error}"
            return
        missing = self.draft.missing(self.case)
        rest = f"; still missing: {'; '.join(missing)}" if missing else ""
        self.message = f"Exported to {self._export_path.name}{rest}"

    def run(self, command: str) -> None:
        """Do what one key stands for; see `COMMANDS`."""
        key = command.strip().casefold()
        if key in ("1", "2", "3", "4"):
            self.decide(Verdict(COMMANDS[key]))
        elif key == "0":
            self.decide(None)
        elif key in ("n", "p"):
            self.show_claim(self.claim_no + (1 if key == "n" else -1))
        elif key in ("j", "k"):
            self.show_candidate(self.candidate_no + (1 if key == "j" else -1))
        elif key in ("q", "u", "e"):
            {"q": self.keep_quote, "u": self.drop_quote, "e": self.export}[key]()
        elif key:
            self.message = f"No key {key!r}; keys are {', '.join(COMMANDS)}."

    def claim_labels(self) -> list[str]:
        """A line for each claim, with what is decided on it."""
        lines = []
        for claim in self.claims:
            verdict = self.draft.of_claim(claim).verdict
            lines.append(f"{claim.claim_id} [{verdict or 'open'}] {shorten(for_terminal(claim.text), 80)}")
        return lines

    def claim_html(self) -> str:
        """The claim, its place, its searches, and what is decided on it."""
        claim, decision = self.claim, self.decision
        if claim is None or decision is None:
            return "<p>There is no claim to judge.</p>"
        searches = "".join(
            f"<li>{shown(search.source)}: {search.state}"
            f"{', ' + shown(search.reason) if search.reason else ''}, {len(search.candidates)} works</li>"
            for search in self.case.searches(claim)
        )
        quotes = "".join(f"<blockquote>{shown(quote.text)}</blockquote>" for quote in decision.quotes)
        return (
            f"<h3>{shown(claim.claim_id)}</h3><p><strong>{shown(claim.text)}</strong></p>"
            f"<p>{shown(claim.location)}</p>"
            + (
                f"<p>In: {shown(claim.sentence)}</p>"
                if claim.sentence and claim.sentence != claim.text
                else ""
            )
            + f"<p>Searched:</p><ul>{searches or '<li>nothing</li>'}</ul>"
            f"<p>Verdict: <strong>{decision.verdict or 'open'}</strong></p>{quotes}"
        )

    def candidate_html(self) -> str:
        """The candidate and its text, the proven quote marked."""
        candidate, text = self.candidate, self.text()
        if candidate is None:
            return "<p>No search found a work for this claim.</p>"
        head = f"<h3>{shown(candidate.title or candidate.id)}</h3><p>{shown(candidate.id)}"
        head += f", {shown(candidate.date)}</p>" if candidate.date else "</p>"
        return f"{head}<div style='white-space:pre-wrap;overflow-wrap:anywhere'>{self._marked(text)}</div>"

    def _marked(self, text: str) -> str:
        if self.proof is None or not self.proof.verified:
            return shown(text)
        pieces, at = [], 0
        for start, end in self.proof.spans[0].parts:
            pieces.append(f"{shown(text[at:start])}<mark>{shown(text[start:end])}</mark>")
            at = end
        return "".join([*pieces, shown(text[at:])])

    def proof_html(self) -> str:
        """What became of the quote that is being made, in words and not by colour alone."""
        if self.proof is None:
            return "<p>Pick sentences, or type or paste a quote.</p>"
        if self.proof.verified:
            span = self.proof.spans[0]
            more = f" and {len(self.proof.spans) - 1} more places" if len(self.proof.spans) > 1 else ""
            case = "" if span.case_kept else ", letter case aside"
            return f"<p>✓ proven: characters {span.start}-{span.end}{more}{case}. Press q to keep it.</p>"
        return f"<p>✗ {self.proof.result}: {shown(self.proof.detail)}</p>"

    def progress(self) -> str:
        """How far the draft is."""
        done = sum(self.draft.of_claim(claim).verdict is not None for claim in self.claims)
        return f"{done} of {len(self.claims)} judged. {self.message}"
