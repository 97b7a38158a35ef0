"""The hand-written baseline: forward checking and conflict-directed backjumping over big-integer bitsets."""
