"""Forward checking and backjumping, in plain Python."""
