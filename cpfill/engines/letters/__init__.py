"""Letter by letter over two tries: every fill in lexicographic order, compiled, with a pure-Python twin."""
