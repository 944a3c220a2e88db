"""Passports: what an author declares of experiments, held against the claims of the paper.

Reads passports (YAML or JSON), result files and manuscripts that the user names; writes only the skeleton
and the declaration that the user asks for. Every finding is located; nothing is judged that the text does
not allow; provenance is never filled in. Must never execute or fetch anything. No network. No clock.

>>> passport = read_passport("data/demo/passport.yaml")
>>> passport.check(), passport.gate(stage="4.5").outcome
"""

from __future__ import annotations

from novelty_kit.passport.diff import PassportDiff, diff_passports
from novelty_kit.passport.finding import Finding
from novelty_kit.passport.frames import register_passport
from novelty_kit.passport.judge import Judge, JudgedClaim, Judgement
from novelty_kit.passport.number_judge import NumberJudge
from novelty_kit.passport.outcome import GateResult, Outcome, Reason
from novelty_kit.passport.prose import Manuscript, read_manuscript
from novelty_kit.passport.read import read_passport
from novelty_kit.passport.record import Passport
from novelty_kit.passport.summary import summary
from novelty_kit.passport.verdict import Verdict

__all__ = [
    "Finding",
    "GateResult",
    "Judge",
    "JudgedClaim",
    "Judgement",
    "Manuscript",
    "NumberJudge",
    "Outcome",
    "Passport",
    "PassportDiff",
    "Reason",
    "Verdict",
    "diff_passports",
    "read_manuscript",
    "read_passport",
    "register_passport",
    "summary",
]
