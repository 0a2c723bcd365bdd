"""The data of results, cache entries and sections: what they hold, and what is refused."""
