"""Play before the flop on the pages: charts, and the spots that their lines lead to."""
