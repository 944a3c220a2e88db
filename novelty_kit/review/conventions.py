"""The conventions of a review: one function for each warning, named after its code.

A warning is given for a record that its schema accepts; each sentence stands in ``rubric.yaml`` under the
same code (review reference, sections 3, 6 and 12). No network. No clock. Nothing is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from novelty_kit.review.caps import Ruling
from novelty_kit.review.citation import citation_key
from novelty_kit.review.manifest import Citation, Manifest
from novelty_kit.review.rubric import ReviewType, rubric

__all__ = ["WARNINGS", "ReviewCase", "warnings_of"]


@dataclass(frozen=True, slots=True)
class ReviewCase:
    """Everything that a convention may look at.

    Attributes
    ----------
    record : mapping
        The review, valid by its schema.
    hypothesis_id : str
        The hypothesis that it is given for.
    constraints_declared : bool
        Whether the run declares at least one constraint.
    manifest : Manifest or None
    ruling : Ruling
    """

    record: Mapping[str, Any]
    hypothesis_id: str
    constraints_declared: bool
    manifest: Manifest | None
    ruling: Ruling

    @property
    def expects(self) -> ReviewType:
        """What its type of review expects."""
        return rubric().review_types[self.record["review_type"]]

    def scores(self, axis: str) -> bool:
        """Whether the axis is scored."""
        return axis in self.record["scores"]

    def names_other_than(self, field: str, status: str) -> bool:
        """Whether a list of the record names a citation whose status in the manifest is another."""
        if self.manifest is None:
            return False
        statuses = self.manifest.statuses
        return any(statuses.get(citation_key(text)) != status for text in self.record.get(field, ()))


def w_constr_missing(case: ReviewCase) -> bool:
    expected = case.constraints_declared and case.expects.constraint_compliance == "by_convention"
    return expected and not case.scores("constraint_compliance")


def w_constr_on_safety(case: ReviewCase) -> bool:
    return case.expects.constraint_compliance == "omitted" and case.scores("constraint_compliance")


def w_constr_undeclared(case: ReviewCase) -> bool:
    out_of_place = not case.constraints_declared and case.expects.constraint_compliance != "omitted"
    return out_of_place and case.scores("constraint_compliance")


def w_goal_missing(case: ReviewCase) -> bool:
    return case.expects.goal_alignment == "by_convention" and not case.scores("goal_alignment")


def w_goal_on_safety(case: ReviewCase) -> bool:
    return case.expects.goal_alignment == "omitted" and case.scores("goal_alignment")


def w_initial_cites(case: ReviewCase) -> bool:
    return case.expects.citations == "none" and bool(case.record["verified_citations"])


def w_manifest_absent(case: ReviewCase) -> bool:
    return case.expects.citations == "manifest" and case.manifest is None


def w_manifest_summary(case: ReviewCase) -> bool:
    return case.manifest is not None and not case.manifest.summary_agrees


def w_mean_stored(case: ReviewCase) -> bool:
    return "mean_review_score" in case.record


def w_msg_critical(case: ReviewCase) -> bool:
    if case.manifest is None or not case.ruling.by_citations:
        return False
    n = case.manifest.counts.phantom
    wanted = rubric().texts["critical"].format(n=n)
    return n > 0 and not any(wanted in criticism for criticism in case.record["key_criticisms"])


def w_msg_phantom(case: ReviewCase) -> bool:
    if case.manifest is None or case.ruling.cap_rule != "C-CAP2":
        return False
    phantom = case.manifest.with_status("phantom")[0]
    return not any(_names_phantom(criticism, phantom) for criticism in case.record["key_criticisms"])


def w_notes_missing(case: ReviewCase) -> bool:
    return case.record["review_type"] == "recurrent" and "recurrent_notes" not in case.record


def w_notes_unexpected(case: ReviewCase) -> bool:
    return case.record["review_type"] != "recurrent" and "recurrent_notes" in case.record


def w_path_missing(case: ReviewCase) -> bool:
    return case.manifest is not None and "citation_manifest" not in case.record


def w_path_wrong(case: ReviewCase) -> bool:
    named = case.record.get("citation_manifest")
    return named is not None and named != f"citations/{case.hypothesis_id}.json"


def w_phantom_unknown(case: ReviewCase) -> bool:
    return case.names_other_than("phantom_citations", "phantom")


def w_phantom_unlisted(case: ReviewCase) -> bool:
    if case.manifest is None:
        return False
    listed = {citation_key(text) for text in case.record.get("phantom_citations", ())}
    return any(phantom.key not in listed for phantom in case.manifest.with_status("phantom"))


def w_verified_unsupported(case: ReviewCase) -> bool:
    return case.names_other_than("verified_citations", "verified")


def _names_phantom(criticism: str, phantom: Citation) -> bool:
    """Whether a criticism names this phantom in the fixed words, in any writing of its id."""
    head, _, rest = rubric().texts["phantom"].partition("{lit_id}")
    tail = rest.partition("{claimed_title}")[2]
    for piece in criticism.split(head)[1:]:
        named, found, _ = piece.partition(tail)
        if not found:
            continue
        # Ids and titles may both hold " (", so every cut is tried; a line with very many is no such line.
        cuts = [match.start() for match in re.finditer(r" \(", named)][:50]
        if any(_is(named[:cut], named[cut + 2 :], phantom) for cut in cuts):
            return True
    return False


def _is(lit_id: str, title: str, phantom: Citation) -> bool:
    same_title = phantom.claimed_title is None or _folded(title) == _folded(phantom.claimed_title)
    return same_title and citation_key(lit_id) == phantom.key


def _folded(title: str) -> str:
    return " ".join(title.split()).casefold()


WARNINGS: Final[tuple[tuple[str, Callable[[ReviewCase], bool]], ...]] = tuple(
    (rule.__name__.upper().replace("_", "-"), rule)
    for rule in (
        w_constr_missing,
        w_constr_on_safety,
        w_constr_undeclared,
        w_goal_missing,
        w_goal_on_safety,
        w_initial_cites,
        w_manifest_absent,
        w_manifest_summary,
        w_mean_stored,
        w_msg_critical,
        w_msg_phantom,
        w_notes_missing,
        w_notes_unexpected,
        w_path_missing,
        w_path_wrong,
        w_phantom_unknown,
        w_phantom_unlisted,
        w_verified_unsupported,
    )
)
"""Each warning's code and its function, in the order of the codes."""


def warnings_of(case: ReviewCase) -> tuple[str, ...]:
    """The codes of all conventions that a valid review breaks, sorted."""
    return tuple(code for code, breaks in WARNINGS if breaks(case))
