"""Which code runs when, and what tests prove about values."""
