"""Hands that were played on the pages: lists, single hands, whole nights judged."""
