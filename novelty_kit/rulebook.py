"""Every rule and invariant with its sentence, its source and an example that fires: `novelty rules`.

The sentence and the source are read from the rule's own file, so that they cannot drift from it. No network.
No clock.
"""

from __future__ import annotations

import inspect
from dataclasses import asdict, dataclass
from importlib import resources
from typing import Any

__all__ = ["Rule", "rulebook"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Attributes
    ----------
    rule_id : str
        As printed in results.
    sentence : str
        What it says.
    source : str
        Document and section.
    where : str
        File in the package.
    body : str
        Its SQL or its function.
    example : str
        An input that makes it fire.
    """

    rule_id: str
    sentence: str
    source: str
    where: str
    body: str
    example: str

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


_VERDICT_RULES = (
    (
        "r0",
        "r0_keys.sql",
        '{"kind": "claim", "keys": {"arxiv": "2012.00614"}} has no statement: incomparable',
    ),
    (
        "r1",
        "r1_exact_match.sql",
        '{"kind": "paper", "keys": {"arxiv": "2608.13940"}} against a log with that paper',
    ),
    (
        "r2",
        "r2_citation_overlap.sql",
        '{"kind": "paper", …, "references": ["arxiv:2408.06292"]}, and that paper is read',
    ),
    (
        "r3",
        "r3_coverage_gate.sql",
        "the same without references, while the list of one read paper was never asked for",
    ),
    ("r4", "r4_novel.sql", "the same after every such list is in the log"),
)


def _header(text: str) -> tuple[str, str]:
    """The sentence and the source of a rule file: its comment up to `Source:`, and that line."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("--"):
            break
        lines.append(line.removeprefix("--").strip())
    head = " ".join(lines)
    sentence, _, rest = head.partition("Source:")
    return sentence.strip(), rest.partition("Reads:")[0].strip().rstrip(".")


def rulebook() -> list[Rule]:
    """All rules, in the order in which they are evaluated; then the invariants of the audits."""
    from novelty_kit.passport.invariants import RULES

    found = []
    for rule_id, name, example in _VERDICT_RULES:
        body = resources.files("novelty_kit.verdict").joinpath(name).read_text("utf-8")
        sentence, source = _header(body)
        found.append(Rule(rule_id, sentence, source, f"novelty_kit/verdict/{name}", body, example))
    return found + [function_rule(rule.id, rule.function, rule.section, rule.example) for rule in RULES]


def function_rule(rule_id: str, function: Any, source: str, example: str) -> Rule:
    """A rule that is a Python function: its docstring's first sentence, its own text."""
    sentence = (inspect.getdoc(function) or "").partition("\n\n")[0].replace("\n", " ")
    where = function.__module__.replace(".", "/") + ".py"
    return Rule(rule_id, sentence, source, where, inspect.getsource(function), example)
