"""A kernel that has nothing but a cache, and keeps every promise about it."""

import json
import re

SAFE_KEY = re.compile(r"[A-Za-z0-9_:-]{1,128}")
LONGEST_LIFE, LARGEST_VALUE = 300, 65536


class Kernel:
    def __init__(self):
        self.now = 0.0
        self.entries = {}

    def cache_set(self, step):
        life = 60 if step.ttl_seconds is None else step.ttl_seconds
        text = json.dumps(json.loads(step.value_json), ensure_ascii=False, separators=(",", ":"))
        size = len(text.encode("utf-8", "surrogatepass"))
        good_life = type(life) is int and 0 < life <= LONGEST_LIFE
        if not (SAFE_KEY.fullmatch(step.key) and good_life and size <= LARGEST_VALUE):
            return {"event": "cache_outcome", "outcome": "refused"}
        self.entries[step.user, step.app, step.key] = (text, self.now + life)
        return {"event": "cache_outcome", "outcome": "accepted", "ttl_seconds": life}

    def cache_get(self, step):
        if not SAFE_KEY.fullmatch(step.key):
            return {"event": "cache_outcome", "outcome": "refused"}
        text, end = self.entries.get((step.user, step.app, step.key), (None, 0.0))
        if text is None or end <= self.now:
            return {"event": "cache_outcome", "outcome": "miss"}
        return {"event": "cache_outcome", "outcome": "hit", "value_json": text}

    def cache_delete(self, step):
        self.entries.pop((step.user, step.app, step.key), None)
        return {"event": "cache_outcome", "outcome": "accepted"}

    def advance(self, step):
        self.now += step.seconds
        return {"event": "advanced"}
