"""The scenarios that several invariants share, and what Hypothesis draws them from."""
