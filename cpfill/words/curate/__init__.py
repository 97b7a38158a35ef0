"""Word lists: made, joined, narrowed, searched and described. Pure functions over a `Lexicon`, no command line.

entry.py      a word with its score and spelling; the entries of a lexicon
choose.py     lists merged, filtered, sampled, held against each other
pattern.py    `?A[EI]*` -> the words that have this shape
frequency.py  counts -> scores; the words of a text, counted
position.py   which letter stands where: counts, preferences, shares
describe.py   what a constructor wants to know of a list
write.py      entries -> lines
plot.py       heat maps of letters and positions
"""
