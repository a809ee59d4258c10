"""Adam, the bot of the seminar on fictitious play: how fast it is, and how well it plays."""
