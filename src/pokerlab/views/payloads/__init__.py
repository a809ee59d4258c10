"""Plain data for JSON and for pages: decisions, training tables, tables with a person."""
