"""Learning about works: the only room with a network.

A provider's answer becomes a record (:mod:`~novelty_kit.ingest.record`), the record becomes events
(:mod:`~novelty_kit.ingest.events`), and what of them is news is appended to the log
(:mod:`~novelty_kit.ingest.append`). What could not be learned becomes a row that says so, never a guess.
This room meets the rest of the package only in the log file.
"""
