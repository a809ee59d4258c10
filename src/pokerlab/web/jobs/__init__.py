"""Solves that outlive the server: queue, folders, processes, and how pages show them."""
