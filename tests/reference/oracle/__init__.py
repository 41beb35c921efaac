"""Random networks of one operator, and the runtimes that say what they compute."""
