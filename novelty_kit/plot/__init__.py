"""Pictures of verdicts and graphs: matplotlib figures that need no colour to be read.

Reads a verdict or a graph; writes nothing. Each picture says in its title what it shows, carries the same in
words (``alt``), is drawn to the same bytes every time, and is cut with counts where there is too much to draw.
No global state of pyplot is touched. Text from data is never read as markup or mathematics. No network. No clock.
"""

from novelty_kit.plot.coverage import coverage
from novelty_kit.plot.neighbourhood import neighbourhood
from novelty_kit.plot.overlap import overlap
from novelty_kit.plot.picture import Picture

__all__ = ["Picture", "coverage", "neighbourhood", "overlap"]
