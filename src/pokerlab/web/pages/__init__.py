"""The data of the pages; the requests are in `routes`."""
