"""The figures of the articles on poker trees."""
