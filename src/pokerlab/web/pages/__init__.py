"""What pages show, made of what the package knows; who asks for it is in `routes`."""
