"""The closed word lists of the heuristics over prose and of the judge of numbers.

Data only; a word added here changes what they see. Reads nothing. No network. No clock.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "COUNTED",
    "DOWN",
    "HIGHER_IS_BETTER",
    "LOWER_IS_BETTER",
    "STOP",
    "UNITS",
    "UNIT_TAILS",
    "UP",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Direction words: a claim that uses one kind only says which way its effect goes.
UP: Final = _words(
    """raise raised raises increase increased increases improve improved improves higher greater more larger
    gain gained exceed exceeded exceeds above over outperform outperformed outperforms rose boosted doubled"""
)
DOWN: Final = _words(
    """reduce reduced reduces decrease decreased decreases lower lowered lowers fewer less smaller below under
    fell drop dropped drops cut halved shortened"""
)

# Parts of metric names that say which way is better.
HIGHER_IS_BETTER: Final = _words(
    """accuracy acc f1 precision recall auc auroc auprc bleu rouge score r2 map mrr ndcg throughput success
    reward iou dice sensitivity specificity yield coverage"""
)
LOWER_IS_BETTER: Final = _words(
    "error loss rmse mae mse perplexity ppl wer cer latency time runtime cost fpr fnr eer fid regret"
)

# Units that may end a metric's name, as in mean_mass_g.
UNIT_TAILS: Final = _words("g kg mg s ms us min h m mm cm km pct percent hz j kj w kw v a k c mb gb")

# Parts of units: m/s2 is one, g/plant is none because plant is not here.
UNITS: Final = _words(
    """g kg mg µg μg ug t s ms µs μs us ns min h d m km cm mm µm μm nm l ml L mL Hz kHz MHz GHz J kJ MJ W kW
    MW kWh Wh V mV A mA K °C °F C N Pa kPa hPa bar mol mmol dB ppm ppb B kB KB MB GB TB x"""
)

# Counted things: a number before one of them is no measurement of a metric.
COUNTED: Final = _words(
    """seed seeds run runs trial trials fold folds epoch epochs participant participants plant plants sample
    samples study studies dataset datasets layer layers step steps model models task tasks subject subjects
    item items bay bays cultivar cultivars season seasons day days week weeks month months year years"""
)

# Words that carry no content.
STOP: Final = _words(
    """the a an and or but nor of in on at to for from by with without as is are was were be been being it its
    this that these those there than then so such not no did do does had has have only one two any all each
    both between among into over under we our i my they their he she you your if when while which who whom
    what"""
)
