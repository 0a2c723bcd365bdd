"""What an expression may be worth."""
