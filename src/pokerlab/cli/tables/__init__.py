"""What commands print of spots, boards and hands: tables, matrices, charts."""
