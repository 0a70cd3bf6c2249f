"""Players: everything that chooses an action from what a seat may know."""
