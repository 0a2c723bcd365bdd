"""A kernel takes scenarios: they are driven, judged and counted."""
