# my_module.py
class kernel:
    def __init__(self):
        self.entries = {}

    def cache_set(self, step):
        self.entries[step.user, step.app, step.key] = step.value_json
        return {"event": "cache_outcome", "outcome": "accepted"}

    def cache_get(self, step):
        value = self.entries.get((step.user, step.app, step.key))
        outcome = "hit" if value else "miss"
        return {"event": "cache_outcome", "outcome": outcome, "value_json": value}
