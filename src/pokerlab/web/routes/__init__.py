"""The addresses of the application: one module for each page, with its list `ROUTES`."""
