"""Commands on opponents: statistics, models, responses, lines."""
