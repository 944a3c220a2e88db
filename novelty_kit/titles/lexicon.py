"""Words that decide when titles are compared, and commands of LaTeX that say nothing.

Lists only. Whoever adds a word makes the matcher stricter (negations, numbers, other works), never laxer.
"""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEGATIONS: Final = _words("""
    no not non none never nothing nobody without neither nor lack lacks lacking absence absent fail
    fails failed failure nicht kein keine ohne pas sans sin senza sem
""")
# Whole words that another division of the same letters can make or unmake: "no table" and "notable".
PLAIN_NEGATIONS: Final = _words("no not nor never none without neither")
NEGATING_CHARACTERS: Final = frozenset("不非无無未没沒")

NUMBER_WORDS: Final = _words("""
    one two three four five six seven eight nine ten eleven twelve second third fourth fifth sixth
    seventh ii iii iv vi vii viii ix half twice double triple hundred thousand million minus
""")

# In a subtitle these announce another work than the one with the main title alone.
OTHER_WORK: Final = _words("""
    reply response rejoinder comment comments commentary discussion erratum corrigendum correction
    corrections retraction retracted addendum supplement supplementary supporting appendix editorial
    preface foreword part volume vol chapter edition version revised update updated revisited protocol
    rationale followup poster slides abstract proceedings
""")

LATEX_SILENT: Final = _words("""
    emph textit textbf textrm texttt textsc textsf textup textsl textnormal textsuperscript
    textsubscript text mathrm mathbf mathit mathcal mathbb mathsf mathtt mathfrak mathscr mbox hbox fbox
    ensuremath boldsymbol bm operatorname rm bf it em sc sf tt sl cal bfseries itshape scshape
    displaystyle textstyle left right big Big bigl bigr protect relax frac tfrac dfrac sqrt over bar hat
    tilde vec dot ddot overline underline widehat widetilde times pm mp cdot circ degree sim approx to
    rightarrow leftarrow leftrightarrow Rightarrow star ast prime dagger ddagger dots ldots cdots quad
    qquad textregistered texttrademark textdegree footnote thanks newline linebreak noindent infty
    nolimits limits c v u H k r b d t
""")
LATEX_WORD: Final = {
    "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠", "ne": "≠", "lt": "<", "gt": ">",
    "aa": "a", "AA": "A", "varepsilon": "epsilon", "vartheta": "theta", "varphi": "phi", "varrho": "rho",
}  # fmt: skip

SIGN: Final = {
    "&": "and", "%": "percent", "+": "plus", "<": "lessthan", ">": "greaterthan", "=": "equals",
    "≤": "atmost", "≥": "atleast", "≠": "unequal",
}  # fmt: skip
# Not decomposed by Unicode, and written plainly by half of the sources.
LETTER: Final = {
    "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i", "ħ": "h",
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta",
    "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "ο": "omicron",
    "π": "pi", "ρ": "rho", "σ": "sigma", "τ": "tau", "υ": "upsilon", "φ": "phi", "χ": "chi", "ψ": "psi",
    "ω": "omega",
}  # fmt: skip
