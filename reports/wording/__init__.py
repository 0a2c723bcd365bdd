"""How scenarios, clauses, verdicts and comparisons are said in plain words."""
