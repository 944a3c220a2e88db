"""Every invariant of a passport, one function each, named by the id that a finding prints.

The one place that knows their order: manifests, then each citation row, then the sibling arrays, then
experiments and alignments. A rule reads the index and yields findings; it never raises over the content
and never stops another rule. No network. No clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from novelty_kit.passport.finding import Finding
from novelty_kit.passport.index import PassportIndex
from novelty_kit.passport.invariants import audit, citation, experiment, manifest, sibling
from novelty_kit.passport.invariants.examples import EXAMPLES

__all__ = ["RULES", "Rule", "run_rules"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One invariant.

    Attributes
    ----------
    id : str
        The tag that its findings carry, such as ``EP-INV-4``.
    section : str
        Where the passport reference states it.
    function : callable
        Takes the index, or (citation rows) one row and the index; yields findings.
    per_row : bool
        Whether the function judges one citation row at a time.
    """

    id: str
    section: str
    function: Callable[..., Iterator[Finding]]
    per_row: bool = False

    @property
    def sentence(self) -> str:
        """What the rule says, in one sentence: the first line of its function's docstring."""
        return (self.function.__doc__ or "").partition("\n")[0].strip()

    @property
    def example(self) -> str:
        """The smallest passport that breaks the rule, as JSON."""
        return EXAMPLES[self.id]


def _rules(
    section: str, functions: tuple[Callable[..., Iterator[Finding]], ...], **more: Any
) -> tuple[Rule, ...]:
    return tuple(Rule(_id_of(function), section, function, **more) for function in functions)


def _id_of(function: Callable[..., Iterator[Finding]]) -> str:
    name = function.__name__
    return name if name == "matrix" else name.upper().replace("_", "-")


RULES: Final[tuple[Rule, ...]] = (
    *_rules("passport reference, section 5.3", manifest.RULES),
    *_rules("passport reference, section 5.2", citation.RULES, per_row=True),
    *_rules("passport reference, section 5.3", sibling.RULES),
    *_rules("passport reference, section 5.3", audit.RULES),
    *_rules("passport reference, section 5.1", experiment.RULES),
)


def run_rules(index: PassportIndex, rules: tuple[Rule, ...] = RULES) -> Iterator[Finding]:
    """Findings of all rules, in the order of work; the per-row rules run row by row."""
    waiting: list[Rule] = []
    for rule in rules:
        if rule.per_row:
            waiting.append(rule)
            continue
        yield from _run_rows(index, waiting)
        waiting = []
        yield from rule.function(index)
    yield from _run_rows(index, waiting)


def _run_rows(index: PassportIndex, rules: list[Rule]) -> Iterator[Finding]:
    if rules:
        for row in index.rows("claim_audit_results"):
            for rule in rules:
                yield from rule.function(row, index)
