"""Random schedules of several processes over one simulated bucket, with every invariant checked at every change."""
