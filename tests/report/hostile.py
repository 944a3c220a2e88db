"""Text as it really turns up in titles and statements, and worse."""

HOSTILE = {
    "script": "<script>alert(1)</script> & \"x\" 'y'",
    "image": "<img src=x onerror=alert(1)><svg/onload=alert(2)>",
    "attribute": '" onmouseover="alert(1)" x="',
    "comment": "--><script>alert(1)</script><!-- ]]> </style></title></textarea>",
    "template": "{{ 7 * 7 }} {% raw %} ${7*7} #{7*7}",
    "mathematics": r"$\frac{1}{0}$ costs $5 and \$6, $unclosed",
    "terminal": "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x08\x08 bell\x07",
    "direction": "\u202eevil\u202c \u2066isolated\u2069 \u200fright \u061c",
    "lines": "one\ntwo\r\nthree\u2028four\u2029five\ttab\x0bvt\x0cff",
    "long": "word" * 25_000,
    "emoji": "🧜 👩\u200d🔬 é e\u0301 ﷽ 漢字 עברית العربية",
    "unprintable": "\ufffe\uffff\ufeff\u00ad\u200b\u0085\ue000",
}
