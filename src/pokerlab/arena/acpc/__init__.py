"""The ACPC protocol: a dealer, a client, and the match between them."""
