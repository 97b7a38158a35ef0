"""Files that other programs read and write: codecs between bytes and a `Puzzle`."""
