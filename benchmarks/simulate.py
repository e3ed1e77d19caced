"""Simulates the AWS function over buckets of 10,000 to 1,000,000,000 objects; writes docs/scale.md and its charts."""

from scale.simulation import main

if __name__ == "__main__":
    main()
