"""Reviews of hypotheses: the rubric enforced, citations checked, quarantine that loses no file.

Reads and writes the run layout that the other tools of the field share. What citations allow is a cap on
correctness; what they or a safety score call for is quarantine. Whatever changes a run holds its one lock
and writes whole files; no file is ever overwritten by another record. Looking citations up is left to a
resolver that the caller hands in. No network. No clock but the wait for a lock and a deadline that was
asked for.
"""

from novelty_kit.review.judgement import Judgement, judge_review
from novelty_kit.review.opening import open_run
from novelty_kit.review.policy import ReviewPolicy
from novelty_kit.review.run import Run

__all__ = ["Judgement", "ReviewPolicy", "Run", "judge_review", "open_run"]
