"""Word lists, the index over them, and the lists that come with cpfill.

lexicon       Lexicon: the words of all lists of a problem
table         WordTable, WordId: the words of one length, indexed
wordlist      WordList, ListSource: one list, parsed; the names of those that are packaged
words_like    what a program may give as a list
shelf         Shelf: lists by where they are from, each read once
cache         the same, kept on disk
personal      words banned and rescored
bands         strong, fair and weak scores
packing/      lists as columns of codes, by a compiled reader
curate/       lists merged, filtered, described: the verb `words`
packaged/     the lists that come with cpfill, and the script that derives them
"""
