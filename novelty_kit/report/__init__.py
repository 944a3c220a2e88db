"""Reports: one page, one executed notebook and one record for each candidate, and an index of all.

Reads candidates, a graph and the notebook template; writes into one output folder. The record holds every fact;
the page is made from the record and the pictures of the executed notebook, so the two cannot disagree. All text
from data is escaped. No network. No clock.
"""

from novelty_kit.report.audit import Audit, audit_candidate

__all__ = ["Audit", "audit_candidate"]
