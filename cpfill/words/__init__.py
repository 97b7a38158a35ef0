"""Word lists, the index over them, and the lists that come with cpfill.

lexicon       Lexicon: the words of all lists of a problem
table         WordTable, WordId: the words of one length, indexed
wordlist      WordList, ListSource: one list, parsed; the names of the packaged lists
words_like    lists from any form in which a program has words
shelf         Shelf: lists by source, each read once
cache         large lists cached on disk
personal      the personal list: words banned and rescored
bands         strong, fair and weak scores
packing/      lists as columns of codes, packed by a compiled reader
curate/       lists merged, filtered, described: the verb `words`
packaged/     the lists that come with cpfill, and the script that derives them
"""
