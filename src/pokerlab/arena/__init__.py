"""Tables, duplicate matches, tournaments, simulation, ACPC protocol, logs, replay."""
