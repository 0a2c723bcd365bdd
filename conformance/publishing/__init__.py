"""What the suite says of itself: its catalog, its schemas, where each promise is judged."""
