"""What is asked: board, ranges, chips, bet menus, lines and locked decisions."""
