"""Extract claims of newness from an artifact: deterministic, each with its place, nothing searched or judged.

Reads Markdown, LaTeX or plain text. Sentences that assert newness become admissible claims, one for each part
that says one thing; sentences about cited works, of significance, and those that assert nothing come back
inadmissible, with the reason. The reference list is kept, so that a found work can be seen to be cited.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from novelty_kit.priorart.claims import Claim, ClaimList
from novelty_kit.priorart.cues import Reading, cue_of, read_sentence, reason_of, search_target, takes_up_verb
from novelty_kit.priorart.latex import read_latex
from novelty_kit.priorart.layout import Block, Format, as_text, guess_format, read_plain
from novelty_kit.priorart.markdown import read_markdown
from novelty_kit.priorart.sentences import sentence_spans

__all__ = ["BLIND_SPOT", "extract_claims"]

BLIND_SPOT = (
    "Extraction is by a fixed list of English cues: a claim of newness without one of them is not in this "
    "list, and a sentence that borrows one without claiming anything may be."
)
_INADMISSIBLE_ONLY = (
    "Of the sentences that are no claims only those are listed that cite, speak of significance, or withhold "
    "their newness; plain statements are left out."
)
_READERS = {"markdown": read_markdown, "latex": read_latex, "text": read_plain}
_JOINT = re.compile(
    r",? and (?:then |also )?(?:\(\w{1,3}\) )?|; (?:and |moreover, |further, )?|, while |, as well as |, ",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(
    r"\b(?:contributions?|contribute|novelt(?:y|ies)|is new|are new)\b[^.]{0,80}:\s*$", re.IGNORECASE
)
_SUBJECT = re.compile(
    r"^(?:.{0,80}?\b)?(we|i|this (?:paper|work|study|article))\b(?= )", re.IGNORECASE | re.DOTALL
)
_FIRST_TO = re.compile(r"^(.{0,120}?\bthe first) to\b", re.IGNORECASE | re.DOTALL)
_NUMBERED = re.compile(r"(?:^|\s)\(?(?:[1-9]|i{1,3}|iv|v)\)\s")
_OBJECT = re.compile(r"\w+(?: \w+)? (?:a|an|the first|two|three|several)\b", re.IGNORECASE)
_SPEAKS = re.compile(r"(?:we|our|this|it|ours)\b", re.IGNORECASE)
_KNOWLEDGE = re.compile(r"^[^,]{0,40}\b(?:knowledge|as we know|we are aware),?\s*", re.IGNORECASE)
_MIN_WORDS = 3
_MAX_PARTS = 12


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a sentence that says one thing: its span in the block, and its words with their subject."""

    start: int
    end: int
    text: str


def extract_claims(
    text: str, artifact: str, *, format: Format | None = None, artifact_date: str | None = None
) -> ClaimList:
    """Extract the claims of an artifact.

    Parameters
    ----------
    text : str
        The whole artifact.
    artifact : str
        Its name, which also tells its format where `format` does not.
    format : {"markdown", "latex", "text"}, optional
        How to read it.
    artifact_date : str, optional
        Its ISO date, kept in the list.

    Returns
    -------
    ClaimList
        Claims in order of the artifact, ``N-001`` on for admissible, ``X-001`` on for inadmissible ones.
    """
    blocks = _READERS[format or guess_format(artifact)](text)
    lines = [0, *(match.end() for match in re.finditer("\n", text))]
    found: list[Claim] = []
    listing = False
    for block in blocks:
        if block.is_reference:
            continue
        spans = list(sentence_spans(block.prose))
        for start, end in spans:
            found.extend(_claims(text, block, start, end, listing and block.is_item))
        shown = as_text(block.prose)
        if not block.is_item or not listing:
            listing = _LEAD_IN.search(shown) is not None or (listing and not shown)
    references = tuple(as_text(block.prose) for block in blocks if block.is_reference)
    return ClaimList(
        artifact,
        tuple(_numbered(found, lines)),
        (BLIND_SPOT, _INADMISSIBLE_ONLY),
        references=references,
        artifact_date=artifact_date,
    )


def _numbered(found: list[Claim], lines: list[int]) -> Iterator[Claim]:
    counts = {True: 0, False: 0}
    for claim in found:
        counts[claim.admissible] += 1
        line = bisect_right(lines, claim.start or 0)
        where = [" > ".join(claim.heading)] if claim.heading else []
        where += [f"line {line}", f"characters {claim.start}-{claim.end}"]
        name = f"{'N' if claim.admissible else 'X'}-{counts[claim.admissible]:03d}"
        yield replace(claim, claim_id=name, location=", ".join(where), line=line)


def _claims(text: str, block: Block, start: int, end: int, is_contribution: bool) -> Iterator[Claim]:
    """The claims of one sentence of a block."""
    prose = block.prose[start:end]
    sentence = as_text(prose)
    # A line that only announces claims is none.
    if len(sentence.split()) < _MIN_WORDS or _LEAD_IN.search(sentence):
        return
    reading = read_sentence(sentence, text[block.start + start : block.start + end + 40].split("\n\n")[0])
    if is_contribution and reading in (Reading.PLAIN, Reading.SIGNIFICANCE):
        reading = Reading.CLAIM
    if reading is Reading.PLAIN:
        return
    parts = [_Part(0, len(prose), sentence.rstrip(" ,;"))]
    if reading is Reading.CLAIM:
        parts = _parts(prose) or parts
    for part in parts:
        admissible = reading is Reading.CLAIM
        yield Claim(
            "",
            part.text,
            "",
            search_target(part.text) if admissible else None,
            admissible,
            None if admissible else reason_of(reading),
            block.heading,
            None,
            block.start + start + part.start,
            block.start + start + part.end,
            sentence,
            cue_of(part.text, own_voice=True) or cue_of(sentence) if admissible else None,
        )


def _parts(prose: str) -> list[_Part]:
    """A claim's sentence cut where a part begins that claims something of its own."""
    numbered = [match.end() for match in _NUMBERED.finditer(prose)]
    if len(numbered) > 1 and ":" in prose[: numbered[0]]:
        return [_part(prose, a, b, "") for a, b in pairwise([*numbered, len(prose)])]
    subject, first_to = _SUBJECT.search(prose), _FIRST_TO.search(prose)
    cuts = [0]
    for joint in _JOINT.finditer(prose):
        before = as_text(prose[cuts[-1] : joint.start()])
        if cuts[-1] and subject and takes_up_verb(before):
            before = f"{as_text(subject[1])} {before}"
        rest = as_text(prose[joint.end() :])
        if len(cuts) == _MAX_PARTS:
            break
        if _claims_alone(before) and _begins_claim(rest, subject is not None, first_to is not None):
            cuts.append(joint.end())
    parts = []
    for a, b in pairwise([*cuts, len(prose)]):
        shown, lead = as_text(prose[a:b]), ""
        if a and first_to and shown.lower().startswith("to "):
            lead = as_text(first_to[1])
        elif a and subject and takes_up_verb(shown):
            lead = as_text(subject[1]).capitalize()
        parts.append(_part(prose, a, b, lead))
    return parts if len(parts) > 1 else []


def _claims_alone(part: str) -> bool:
    """Whether a part has a claim of its own, beyond a phrase like "to our knowledge"."""
    return (
        len(search_target(part).split()) >= 2 and cue_of(_KNOWLEDGE.sub("", part), own_voice=True) is not None
    )


def _begins_claim(rest: str, has_subject: bool, is_first_to: bool) -> bool:
    """Whether another claim begins here."""
    if is_first_to and rest.lower().startswith("to "):
        return True
    if _SPEAKS.match(rest):
        return cue_of(rest.split(", ")[0], own_voice=True) is not None
    # "… and release a corpus": the verb's subject stood before, and its object is brought in.
    return has_subject and takes_up_verb(rest) and _OBJECT.match(rest) is not None


_TRAILING = re.compile(
    r"[,;]?(?:\s+(?:and|while|as well as))?(?:\s*\(?(?:[1-9]|i{1,3}|iv|v)\))?\s*$", re.IGNORECASE
)


def _part(prose: str, start: int, end: int, lead: str) -> _Part:
    cut = _TRAILING.search(prose, start, end)
    end = cut.start() if cut and end < len(prose) else end
    shown = as_text(prose[start:end])
    return _Part(start, end, f"{lead} {shown}".strip() if lead else shown[:1].upper() + shown[1:])
