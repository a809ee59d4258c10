"""The charts that come with the package: how they were made, and what others have published."""
