"""Practice on the pages: tables, and programmes of many files."""
