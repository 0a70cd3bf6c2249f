"""Studies: what the rules do to a game, and what an agent has learned of it.

They measure and return arrays; the notebooks ask them and draw the pictures.
"""
