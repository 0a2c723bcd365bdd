"""What the expressions of an extension may be worth; parsed, never run."""
