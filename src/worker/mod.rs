//! One cell in a process of its own: measured steps, clock and probes.
