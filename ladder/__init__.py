"""Results in, ratings and standings out: a library of its own that knows nothing about games."""
