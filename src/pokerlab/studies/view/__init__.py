"""The opponent's view as buckets: Leduc and Rhode Island hold'em, beside buckets by strength."""
