"""What engines share: threads and processes that stream events, propagation, side rules, sums, thresholds."""
