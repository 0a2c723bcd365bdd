"""The run record: its types, reader, writer and seal, and what follows from it."""
