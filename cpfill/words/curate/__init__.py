"""Word lists made, merged, filtered, searched and described: pure functions on a `Lexicon`, without a command line.

entry.py      a word with its score and spelling; the entries of a lexicon
choose.py     lists merged, filtered, sampled, compared
pattern.py    `?A[EI]*` -> the words that match
frequency.py  counts -> scores; the words of a text, counted
position.py   letters by position: counts, preferences, shares
describe.py   the figures of a list that a constructor wants to know
write.py      entries -> lines
plot.py       heat maps of letters and positions
"""
