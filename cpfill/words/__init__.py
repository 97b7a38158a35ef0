"""Word lists, the index over them, and the lists that come with cpfill."""
