"""Passports: what an author declares of experiments, held against the claims of the paper.

Reads passports (YAML or JSON), result files and manuscripts that the user names; writes only the skeleton
and the declaration that the user asks for. Every finding is located; nothing is judged that the text does
not allow; provenance is never filled in. Must never execute or fetch anything. No network. No clock.
"""

from __future__ import annotations

from novelty_kit.passport.finding import Finding
from novelty_kit.passport.read import read_passport
from novelty_kit.passport.record import Passport

__all__ = ["Finding", "Passport", "read_passport"]
