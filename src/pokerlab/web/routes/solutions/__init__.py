"""Solutions on the pages: Study, reports, comparisons, locks."""
