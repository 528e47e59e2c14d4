//! Pure functions from samples to summaries and warnings.
