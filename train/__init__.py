"""Training agents and measuring them; the console command `rung`."""
