"""How an extension uses the SDK: its objects, calls, declarations, guards."""
