"""Clues: read from files, given to the slots of a puzzle, looked up in dictionaries that the system has.

clue_file.py  lines WORD<TAB>clue -> the clues of each word, and back
placing.py    the clues of words -> the clues of a puzzle's slots
dictionary.py words -> clues, from every dictionary of a language
clue_cells.py slots and blocks -> which block holds the clue of which slot, as in arrowwords
wordnet.py    the definitions in a WordNet database
mythes.py     the synonyms in a MyThes thesaurus
index.py      words -> the lines of a dictionary where they stand
"""
