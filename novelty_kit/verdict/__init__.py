"""Verdicts: the rules as SQL over sets of candidates, one judge, one record.

Reads the graph and candidates. No network, no clock, no random number; the same log, candidate and policy give
the same bytes. This room never imports the room that fetches.
"""
