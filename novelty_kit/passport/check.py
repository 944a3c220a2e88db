"""The check of a passport: shapes of all arrays, then every invariant, all findings, nothing short-circuits.

Reads the passport and, where a folder of results is named, the result files in it. No network. No clock.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from novelty_kit.passport.finding import Finding, found, shown
from novelty_kit.passport.invariants import RULES, Rule, run_rules
from novelty_kit.passport.record import Passport
from novelty_kit.passport.schema import SCHEMA_OF_ARRAY, violations

__all__ = ["check_passport", "check_shapes", "with_lines"]


def check_passport(
    passport: Passport,
    results: str | os.PathLike[str] | None = None,
    rules: tuple[Rule, ...] = RULES,
) -> tuple[Finding, ...]:
    """Every finding of a passport, located.

    Parameters
    ----------
    passport : Passport
    results : path, optional
        Folder of real result files; without it no file besides the passport is looked at.
    rules : tuple of Rule
        The invariants to run.

    Returns
    -------
    tuple of Finding
        Shapes first, then the invariants in their order, then result files (tag ``result``).
    """
    if not isinstance(passport.body, dict):
        whole = found("schema", (), f"found {shown(passport.body)}", "an object with the passport's keys")
        return with_lines(passport, [whole])
    findings = [*check_shapes(passport), *run_rules(passport.index, rules)]
    if results is not None:
        from novelty_kit.passport.results import check_results

        findings += [issue.finding for issue in check_results(passport.index, results)]
    return with_lines(passport, findings)


def check_shapes(passport: Passport) -> Iterator[Finding]:
    """Where the arrays of a passport and their entries have another shape than their schemas give."""
    for array in SCHEMA_OF_ARRAY:
        if array not in passport.body:
            continue
        value = passport.body[array]
        if not isinstance(value, list):
            yield found("schema", (array,), f"found {shown(value)}", "an array; leave the key out for none")
            continue
        for place, entry in enumerate(value):
            if not isinstance(entry, dict):
                yield found("schema", (array, place), f"found {shown(entry)}", "an object")
                continue
            for fault in violations(array, entry, (array, place)):
                yield found("schema", fault.path, fault.message, fault.expected, at=fault.at)


def with_lines(passport: Passport, findings: list[Finding]) -> tuple[Finding, ...]:
    """The findings with their lines in the passport's file."""
    if not findings:
        return ()
    lines = passport.lines([finding.at for finding in findings])
    return tuple(replace(finding, line=lines.get(finding.at)) for finding in findings)
