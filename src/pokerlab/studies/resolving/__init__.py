"""What solving subgames again does to a strategy, exactly."""
