"""The fast kernel: arc consistency maintained at every node, compiled, with a pure-Python twin."""
