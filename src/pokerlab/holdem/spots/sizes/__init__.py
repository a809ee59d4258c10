"""Which few bet sizes are nearly as good as many, and what answering other sizes costs."""
