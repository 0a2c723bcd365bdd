"""What is known of the SDK: its surface release by release, its objects, the version meant."""
