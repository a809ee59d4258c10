"""Chapter 7 of the thesis again: hands merged by identity, and what that costs."""
