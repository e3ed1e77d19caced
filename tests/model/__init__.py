"""An explicit-state model of the publishing protocol: every schedule of a few writers, explored completely."""
