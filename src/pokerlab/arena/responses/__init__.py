"""What responses that know a bot's strategy win against it."""
