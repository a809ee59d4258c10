"""What every study needs: numbers with errors, tables, verdicts, and a report of them."""
