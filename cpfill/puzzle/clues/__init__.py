"""Clues: read from files, placed in the slots of a puzzle, looked up in the dictionaries of the system.

clue_file.py  lines WORD<TAB>clue -> the clues of each word, and back
placing.py    the clues of words -> the clues of a puzzle's slots
dictionary.py words -> clues, from every dictionary of a language
clue_cells.py slots and blocks -> the clue cell of each slot, as in arrowwords
wordnet.py    the definitions in a WordNet database
mythes.py     the synonyms in a MyThes thesaurus
index.py      words -> the lines of a dictionary that have them
"""
