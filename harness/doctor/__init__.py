"""What works on this machine, tried out: levels of the sandbox, the fault bots, what bots run on."""
