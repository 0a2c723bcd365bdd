"""What the mocks of the SDK lack of what rules advise, for their pages."""

from __future__ import annotations

LACKING = ("for_user", "list_users")
"""Methods that ``MockStore`` and ``MockNotify`` of imperal_sdk.testing 6.3.7 do not have."""

IN_TESTS = (
    f"\nIn production `{LACKING[0]}` and `{LACKING[1]}` are there; `MockStore` and `MockNotify`\n"
    "of `imperal_sdk.testing` (6.3.7) have neither: extend them in your tests.\n"
)
