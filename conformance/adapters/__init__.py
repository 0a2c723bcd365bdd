"""The ways to reach a kernel; ``reference.open_kernel`` picks one by its reference."""
