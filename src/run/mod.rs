//! The supervisor: schedule, limits, progress, one worker at a time.
