"""The process of a worker of `presil eval`."""

from .evaluation.worker import main

if __name__ == "__main__":
    main()
