"""The one engine: list, decide, date, plan, guard, publish, explain, compare, merge, re-date; what a run remembers."""
