"""What players take from another by working together; equilibria of three-player Kuhn poker."""
