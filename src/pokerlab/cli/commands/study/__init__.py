"""Commands on spots: solve, show, report, compare, check, practise."""
