"""What several rules ask of an extension: its SDK calls, payloads, sections and guards."""
